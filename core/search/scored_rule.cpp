#include "search/scored_rule.h"

#include <algorithm>

#include "nlm/affiliation.h"

namespace dragoman::search {

void affiliate(const Rule& rule, std::span<uint32_t> affiliations) {
  if (nlm::affiliate(rule.links, affiliations)) return;
  const auto word = std::ranges::find_if_not(rule.source, is_gap);
  std::ranges::fill(affiliations, word == rule.source.end() ? 0 : static_cast<uint32_t>(word - rule.source.begin()));
}

}  // namespace dragoman::search
