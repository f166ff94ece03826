#include "index/links.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/errors.h"
#include "text/lines.h"

namespace dragoman::index {

void encode_links(std::vector<WordLink>& links, std::vector<uint8_t>& code) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  auto number = [&](uint32_t value) {
    for (; value >= 128; value >>= 7) code.push_back(static_cast<uint8_t>(value | 128));
    code.push_back(static_cast<uint8_t>(value));
  };
  WordLink before{0, 0};
  for (const WordLink& link : links) {
    const uint32_t source_move = link.source - before.source;
    const uint32_t target_move =
        link.target >= before.target ? (link.target - before.target) * 2 : (before.target - link.target) * 2 - 1;
    code.push_back(static_cast<uint8_t>(std::min(source_move, far_source) | std::min(target_move, far_target) << 2));
    if (source_move >= far_source) number(source_move);
    if (target_move >= far_target) number(target_move);
    before = link;
  }
}

void parse_links(std::string_view line, uint64_t number, size_t source_length, size_t target_length,
                 std::vector<WordLink>& links) {
  links.clear();
  for_each_word(line, [&](std::string_view word) {
    WordLink link{};
    const char* end = word.data() + word.size();
    auto read = [&](const char* from, uint32_t& value) {
      const auto result = std::from_chars(from, end, value);
      return result.ec == std::errc{} ? result.ptr : nullptr;
    };
    const char* at = read(word.data(), link.source);
    if (at && at != end && *at == '-')
      at = read(at + 1, link.target);
    else
      at = nullptr;
    if (at != end)
      throw InputError(number, "'" + std::string(word) + "' is not a link; links are pairs such as 0-0 1-2");
    if (link.source >= source_length || link.target >= target_length)
      throw InputError(number, "link " + std::string(word) + " points outside a pair of " +
                                   std::to_string(source_length) + " source and " + std::to_string(target_length) +
                                   " target words; check that the files belong together");
    links.push_back(link);
  });
}

}  // namespace dragoman::index
