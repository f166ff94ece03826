#include "align/links.h"

#include <charconv>

#include "base/errors.h"
#include "text/lines.h"

namespace dragoman::align {

void append_pharaoh(std::string& out, const Link* begin, const Link* end) {
  char digits[16];
  for (const Link* link = begin; link != end; ++link) {
    if (link != begin) out += ' ';
    char* at = std::to_chars(digits, digits + sizeof digits, link->source).ptr;
    *at++ = '-';
    at = std::to_chars(at, digits + sizeof digits, link->target).ptr;
    out.append(digits, at);
  }
}

Links parse_pharaoh(std::string_view line, uint64_t line_number) {
  Links links;
  for_each_word(line, [&](std::string_view word) {
    Link link{};
    const char* const end = word.data() + word.size();
    auto [at, error] = std::from_chars(word.data(), end, link.source);
    bool good = error == std::errc() && at != end && *at == '-';
    if (good) {
      auto [rest, second] = std::from_chars(at + 1, end, link.target);
      good = second == std::errc() && rest == end;
    }
    if (!good)
      throw InputError(line_number, "'" + std::string(word.substr(0, 40)) +
                                        "' is no link; write source-target positions from 0, such as 0-0 1-2");
    links.push_back(link);
  });
  return links;
}

}  // namespace dragoman::align
