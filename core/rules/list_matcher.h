// Gapped patterns from complete lists of matches, in the two ways the thesis compares (3.3).
//
// extend: M(aβc) is found by looking for c after the matches of aβ, or for a before those of βc, whichever takes fewer
// comparisons: O(min(|M(aβ)|, |M(βc)|)), lists unsorted.
// merge: Lopez 2007, the sorted lists of aβ and βc are merged, O(|M(aβ)| + |M(βc)|), or, where one is much shorter,
// searched in each other by double binary search (Baeza-Yates 2004), O(min · log max).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/tombstones.h"
#include "rules/match_cost.h"
#include "rules/options.h"
#include "rules/pattern_trie.h"

namespace dragoman::rules {

class ListMatcher {
 public:
  ListMatcher(const IndexedBitext& bitext, const ExtractOptions& options, MatchCost& cost)
      : bitext_(bitext), options_(options), cost_(cost) {}

  void start(PatternTrie& trie, const Exclusion& excluded);
  // Prefix and suffix of the node must be finished.
  void extend(uint32_t node);
  void merge(uint32_t node);
  // Frees the lists that patterns of more than `level` symbols cannot need.
  void forget(uint32_t level);

 private:
  struct Range {
    size_t begin, end;
  };

  std::span<const Match> list(uint32_t node, bool sorted);
  void keep(uint32_t node, std::vector<Match>&& found);
  void extend_right(uint32_t node, std::span<const Match> matches, std::vector<Match>& found);
  void extend_left(uint32_t node, std::span<const Match> matches, std::vector<Match>& found);
  uint64_t match_end(uint32_t node, Match match) const {
    const uint32_t last = (*trie_)[node].phrase_count - 1u;
    return match_begin(match) + match_offset(match, last) + trie_->phrase_length(node, last);
  }
  // The match of the node that these matches of its prefix and suffix make together, if they do.
  bool join(uint32_t node, Match prefix, Match suffix, Match& joined);
  void merge_ranges(uint32_t node, std::span<const Match> prefixes, std::span<const Match> suffixes,
                    std::vector<Match>& found);
  void search_ranges(uint32_t node, std::span<const Match> prefixes, std::span<const Match> suffixes,
                     std::vector<Match>& found);

  const IndexedBitext& bitext_;
  const ExtractOptions options_;
  MatchCost& cost_;
  PatternTrie* trie_ = nullptr;
  Exclusion excluded_;
  std::vector<std::vector<Match>> lists_;  // by node
};

}  // namespace dragoman::rules
