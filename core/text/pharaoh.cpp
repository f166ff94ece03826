#include "text/pharaoh.h"

#include <charconv>

#include "base/errors.h"
#include "base/in_quotes.h"
#include "text/lines.h"

namespace dragoman::text {
namespace {

bool parse_link(std::string_view word, Link& link) {
  const char* const end = word.data() + word.size();
  const auto source = std::from_chars(word.data(), end, link.source);
  if (source.ec != std::errc() || source.ptr == end || *source.ptr != '-') return false;
  const auto target = std::from_chars(source.ptr + 1, end, link.target);
  return target.ec == std::errc() && target.ptr == end;
}

}  // namespace

void append_pharaoh(std::string& out, std::span<const Link> links) {
  char digits[24];
  for (const Link& link : links) {
    if (&link != links.data()) out += ' ';
    char* at = std::to_chars(digits, digits + sizeof digits, link.source).ptr;
    *at++ = '-';
    at = std::to_chars(at, digits + sizeof digits, link.target).ptr;
    out.append(digits, at);
  }
}

void parse_pharaoh(std::string_view line, uint64_t line_number, Links& links, size_t source_length,
                   size_t target_length) {
  links.clear();
  for_each_word(line, [&](std::string_view word) {
    Link link{};
    if (!parse_link(word, link))
      throw InputError(line_number,
                       in_quotes(word) + " is no link; write source-target positions from 0, such as 0-0 1-2");
    if (link.source >= source_length || link.target >= target_length)
      throw InputError(line_number, "link " + std::string(word) + " points outside a pair of " +
                                        std::to_string(source_length) + " source and " + std::to_string(target_length) +
                                        " target words; check that the files belong together");
    links.push_back(link);
  });
}

}  // namespace dragoman::text
