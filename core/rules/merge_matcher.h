// Lopez' way (2007): the sorted lists of aβ and βc are merged, O(|M(aβ)| + |M(βc)|), or, where one is much shorter,
// searched in each other by double binary search (Baeza-Yates 2004), O(min · log max).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "rules/list_matcher.h"

namespace dragoman::rules {

class MergeMatcher : public ListMatcher {
 public:
  using ListMatcher::ListMatcher;

 private:
  bool sorts() const override { return true; }
  void find(uint32_t node, std::vector<Match>& matches) override;
  // The match of the node that these matches of its prefix and suffix make together, if they do.
  bool join(uint32_t node, Match prefix, Match suffix, Match& joined);
  void merge_ranges(uint32_t node, std::span<const Match> prefixes, std::span<const Match> suffixes,
                    std::vector<Match>& matches);
  void search_ranges(uint32_t node, std::span<const Match> prefixes, std::span<const Match> suffixes,
                     std::vector<Match>& matches);
};

}  // namespace dragoman::rules
