#include "base/link.h"

#include <algorithm>

namespace dragoman {

void encode_links(Links& links, Array<uint8_t>& code) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  Link before{0, 0};
  for (const Link& link : links) {
    const uint32_t source_move = link.source - before.source;
    const uint32_t target_move =
        link.target >= before.target ? (link.target - before.target) * 2 : (before.target - link.target) * 2 - 1;
    code.push_back(static_cast<uint8_t>(std::min(source_move, far_source) | std::min(target_move, far_target) << 2));
    if (source_move >= far_source) append_varint(code, source_move);
    if (target_move >= far_target) append_varint(code, target_move);
    before = link;
  }
}

void LinkTable::read(size_t pair, Links& links) const {
  links.clear();
  decode_links(code(pair), UINT32_MAX, UINT32_MAX,
               [&](uint32_t source, uint32_t target) { links.push_back({source, target}); });
}

void LinkTable::append(const LinkTable& other, size_t pair) {
  const auto bytes = other.code(pair);
  code_.insert(code_.end(), bytes.begin(), bytes.end());
  begins_.push_back(code_.size());
}

}  // namespace dragoman
