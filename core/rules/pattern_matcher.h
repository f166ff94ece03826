// Finds the source patterns of an input sentence and a sample of their matches (thesis 3.2 and 3.3). Contiguous phrases
// are intervals of the suffix array, narrowed one word at a time inside the parent's interval; gapped patterns are
// matched in one of the ways of `Matching`. A pattern is looked for only if its prefix and its suffix were found.
//
// A snapshot may have several segments. The patterns are the same for all: a contiguous phrase has an interval in each,
// gapped patterns are matched segment by segment, and the samples are merged as they come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/interrupt.h"
#include "base/namespaces.h"
#include "index/snapshot.h"
#include "index/suffix_search.h"
#include "rules/exact_matcher.h"
#include "rules/list_matcher.h"
#include "rules/options.h"
#include "rules/pattern_trie.h"
#include "rules/rule_cache.h"
#include "rules/word_filter.h"
#include "rules/workspace.h"

namespace dragoman::rules {

class PatternMatcher {
 public:
  PatternMatcher(const Workspace& workspace, const ExtractOptions& options);

  // Fills the trie; matches in the sentence `excluded`, if any, do not count. A cache, if there is one, is asked for
  // the samples of patterns that are worth_keeping; they are those of all segments. After an interrupt nothing but a
  // new match is of use.
  void match(std::span<const WordId> input, std::optional<SentencePlace> excluded, PatternTrie& trie, RuleCache* cache,
             Interrupt* interrupt = nullptr);
  // Whether finding a pattern of the sentence at hand and its rules anew costs much: whether its rarest phrase is
  // frequent in segment 0.
  bool worth_keeping(uint32_t node) const;

  const MatchCost& cost() const { return cost_; }

 private:
  struct State {
    uint32_t node;
    uint32_t begin, end;  // of the pattern in the input
    friend auto operator<=>(const State&, const State&) = default;
  };

  void extend(const State& state, std::span<const WordId> input);
  void add_state(uint32_t child, uint32_t begin, uint32_t end);
  uint8_t variants_with_room(const State& state, size_t input_size) const;
  uint32_t add_contiguous(uint32_t node, WordId word);
  uint32_t add_gapped(uint32_t node, bool gap, WordId word);
  void narrow(uint32_t node);
  void narrow_more(uint32_t node);
  void sample_contiguous(uint32_t node);
  // The same in the segments after the first.
  void sample_more(uint32_t node);
  void match_more(uint32_t segment, std::span<const uint32_t> nodes);
  void merge_sample(uint32_t node, uint32_t segment, std::span<const Match> before, std::span<const Match> more);
  bool recall(uint32_t node);
  void finish_level(uint32_t level);
  void match_exactly();
  void feed_children(uint32_t node);

  const Workspace& workspace_;
  const Snapshot& snapshot_;
  const IndexedBitext& bitext_;  // of segment 0
  const ExtractOptions options_;
  const uint64_t worth_keeping_from_;              // occurrences
  std::vector<Exclusion> excluded_;                // by segment
  std::vector<std::vector<TextSpan>> more_ranks_;  // by segment after the first, then node
  std::vector<uint32_t> contiguous_;               // nodes that are
  std::vector<Match> tagged_, merged_;
  PatternTrie* trie_ = nullptr;
  RuleCache* cache_ = nullptr;
  Interrupt* interrupt_ = nullptr;
  MatchCost cost_;
  WordFilter filter_;
  std::vector<std::vector<State>> levels_;     // states by number of symbols
  std::vector<std::vector<uint32_t>> gapped_;  // gapped nodes by number of symbols
  struct Fed {
    uint32_t child;
    Match match;
  };
  std::vector<Fed> fed_;                      // what a node found for its children
  std::vector<uint8_t> has_gapped_children_;  // by node
  std::vector<Match> recalled_;
  PackedRules packed_;
  ListMatcher list_matcher_;
  ExactMatcher exact_matcher_;
};

}  // namespace dragoman::rules
