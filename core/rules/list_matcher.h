// Gapped patterns from complete lists of the matches of their prefixes and suffixes, in the text of one bitext: what
// the two ways that the thesis compares (3.3) have in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "rules/gap_matcher.h"
#include "rules/match_cost.h"
#include "rules/options.h"

namespace dragoman::rules {

class ListMatcher : public GapMatcher {
 public:
  ListMatcher(const IndexedBitext& bitext, const ExtractOptions& options, MatchCost& cost)
      : bitext_(bitext), options_(options), cost_(cost) {}

  void start(const Sentence& sentence) override;
  void match_level(uint32_t symbols, std::span<const uint32_t> nodes) override;

 protected:
  // All matches of a pattern whose prefix and suffix are done.
  virtual void find(uint32_t node, std::vector<Match>& matches) = 0;
  // All matches of a pattern that is done. Those of a contiguous one come in no order unless they are to be sorted.
  std::span<const Match> list(uint32_t node, bool sorted);
  uint64_t match_end(uint32_t node, Match match) const {
    const uint32_t last = (*trie_)[node].phrase_count - 1u;
    return match_begin(match) + match_offset(match, last) + trie_->phrase_length(node, last);
  }

  const IndexedBitext& bitext_;
  const ExtractOptions options_;
  MatchCost& cost_;
  const PatternTrie& trie() const { return *trie_; }

 private:
  // Frees the lists that patterns of more than `level` symbols cannot need.
  void forget(uint32_t level);

  Sentence sentence_{};
  PatternTrie* trie_ = nullptr;
  std::vector<std::vector<Match>> lists_;  // by node
};

}  // namespace dragoman::rules
