// Gapped patterns from complete lists of the matches of their prefixes and suffixes, in the text of one bitext: what
// the two ways that the thesis compares (3.3) have in common. Lists of frequent patterns may be known ahead.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "rules/frequent_lists.h"
#include "rules/gap_matcher.h"
#include "rules/match_cost.h"
#include "rules/options.h"

namespace dragoman::rules {

class ListMatcher : public GapMatcher {
 public:
  // Of the frequent lists, where there are any, none but those of this text and these options are asked.
  ListMatcher(const IndexedBitext& bitext, const ExtractOptions& options, const FrequentLists* frequent,
              MatchCost& cost);

  void start(const Sentence& sentence) override;
  void match_level(uint32_t symbols, std::span<const uint32_t> nodes) override;

 protected:
  // Whether lists are kept in order; where they are not, those of contiguous patterns are as the suffix array has them.
  virtual bool sorts() const = 0;
  // All matches of a pattern whose prefix and suffix are done.
  virtual void find(uint32_t node, std::vector<Match>& matches) = 0;
  // All matches of a pattern that is done.
  std::span<const Match> list(uint32_t node);
  // How many these are, or, where a sentence is left out, a few more, without listing them.
  uint64_t list_size(uint32_t node) const;
  uint64_t match_end(uint32_t node, Match match) const {
    const uint32_t last = (*trie_)[node].phrase_count - 1u;
    return match_begin(match) + match_offset(match, last) + trie_->phrase_length(node, last);
  }

  const IndexedBitext& bitext_;
  const ExtractOptions options_;
  MatchCost& cost_;
  const PatternTrie& trie() const { return *trie_; }

 private:
  // Of a node; what is not its own lies in the frequent lists.
  struct List {
    std::vector<Match> own;
    std::span<const Match> matches;
    bool is_known = false;
  };
  // The list of a pattern of frequent phrases, if it is known ahead.
  bool recall(uint32_t node, List& list) const;
  void gather(uint32_t node, List& list);
  // Frees the lists that patterns of more than `level` symbols cannot need.
  void forget(uint32_t level);

  const FrequentLists* const frequent_;
  Sentence sentence_{};
  PatternTrie* trie_ = nullptr;
  std::vector<List> lists_;  // by node
  std::vector<Match> sample_, scratch_;
};

}  // namespace dragoman::rules
