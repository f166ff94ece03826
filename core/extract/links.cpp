#include "extract/links.h"

#include <algorithm>

namespace dragoman {

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

}  // namespace dragoman
