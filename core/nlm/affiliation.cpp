#include "nlm/affiliation.h"

#include <algorithm>

namespace dragoman::nlm {

std::vector<uint32_t> affiliations(std::span<const Link> links, uint32_t target_size) {
  std::vector<std::vector<uint32_t>> linked(target_size);
  for (const Link& link : links)
    if (link.target < target_size) linked[link.target].push_back(link.source);
  std::vector<uint32_t> made(target_size, 0);
  for (auto& each : linked) std::ranges::sort(each);
  auto own = [&](size_t at) { return linked[at][(linked[at].size() - 1) / 2]; };
  for (size_t at = 0; at < target_size; ++at) {
    for (size_t away = 0; away < target_size; ++away) {
      if (at + away < target_size && !linked[at + away].empty()) {
        made[at] = own(at + away);
        break;
      }
      if (away <= at && !linked[at - away].empty()) {
        made[at] = own(at - away);
        break;
      }
    }
  }
  return made;
}

}  // namespace dragoman::nlm
