#include "nlm/affiliation.h"

#include <algorithm>
#include <utility>

namespace dragoman::nlm {

bool affiliate(std::span<const Link> links, std::span<uint32_t> of_target) {
  std::ranges::fill(of_target, 0);
  if (links.empty()) return false;
  Links by_target(links.begin(), links.end());
  std::ranges::sort(by_target, {}, [](const Link& link) { return std::pair(link.target, link.source); });
  const auto repeated = std::ranges::unique(by_target);
  by_target.erase(repeated.begin(), repeated.end());

  const uint32_t size = static_cast<uint32_t>(of_target.size());
  uint32_t done = 0;  // words before it have theirs
  for (auto first = by_target.begin(), last = first; first != by_target.end(); first = last) {
    last = std::ranges::find_if(first, by_target.end(), [&](const Link& link) { return link.target != first->target; });
    const uint32_t at = first->target, source = first[(last - first - 1) / 2].source;
    // Those between it and the last linked word, if there is one, are divided; of an odd number it gets the middle one.
    const uint32_t from = done == 0 ? 0 : done + (at - done) / 2;
    if (done > 0) std::ranges::fill(of_target.subspan(done, from - done), of_target[done - 1]);
    std::ranges::fill(of_target.subspan(from, at + 1 - from), source);
    done = at + 1;
  }
  std::ranges::fill(of_target.subspan(done, size - done), of_target[done - 1]);
  return true;
}

std::vector<uint32_t> affiliations(std::span<const Link> links, uint32_t source_size, uint32_t target_size) {
  std::vector<uint32_t> of_target(target_size);
  if (!affiliate(links, of_target))
    for (uint64_t at = 0; at < target_size; ++at) of_target[at] = static_cast<uint32_t>(at * source_size / target_size);
  return of_target;
}

}  // namespace dragoman::nlm
