// The thesis' own way (3.3): M(aβc) is found by looking for c after the matches of aβ, or for a before those of βc,
// whichever takes fewer comparisons: O(min(|M(aβ)|, |M(βc)|)), lists unsorted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "rules/list_matcher.h"

namespace dragoman::rules {

class ExtendMatcher : public ListMatcher {
 public:
  using ListMatcher::ListMatcher;

 private:
  bool sorts() const override { return false; }
  void find(uint32_t node, std::vector<Match>& matches) override;
  void extend_right(uint32_t node, std::span<const Match> prefixes, std::vector<Match>& matches);
  void extend_left(uint32_t node, std::span<const Match> suffixes, std::vector<Match>& matches);
};

}  // namespace dragoman::rules
