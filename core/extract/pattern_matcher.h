// Finds the source patterns of an input sentence and a sample of their matches (thesis 3.2 and 3.3). Contiguous phrases
// are intervals of the suffix array, narrowed one word at a time inside the parent's interval; gapped patterns are
// matched in one of the ways of `Matching`. A pattern is looked for only if its prefix and its suffix were found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "extract/exact_matcher.h"
#include "extract/index.h"
#include "extract/list_matcher.h"
#include "extract/options.h"
#include "extract/pattern_trie.h"
#include "extract/rule_cache.h"
#include "extract/word_filter.h"

namespace dragoman {

class PatternMatcher {
 public:
  PatternMatcher(const Index& index, const ExtractOptions& options);

  // Fills the trie; matches inside `excluded`, a range of the source text, do not count. A cache, if there is one, is
  // asked for the samples of patterns that are worth_keeping.
  void match(std::span<const WordId> input, TextRange excluded, PatternTrie& trie, RuleCache* cache);
  // Whether finding a pattern and its rules anew costs much: whether its rarest phrase is frequent.
  static bool worth_keeping(const PatternTrie& trie, uint32_t node);

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
  void sample_contiguous(uint32_t node);
  bool sample_frequent(uint32_t node);
  bool recall(uint32_t node);
  void finish_level(uint32_t level);
  void feed_children(uint32_t node);

  const Index& index_;
  const ExtractOptions options_;
  const bool use_frequent_;
  TextRange excluded_{0, 0};
  PatternTrie* trie_ = nullptr;
  RuleCache* cache_ = nullptr;
  MatchCost cost_;
  WordFilter filter_;
  std::vector<std::vector<State>> levels_;     // states by number of symbols
  std::vector<std::vector<uint32_t>> gapped_;  // gapped nodes by number of symbols
  std::vector<std::vector<Match>> lists_;      // by node: matches that arrived so far
  std::vector<uint8_t> has_gapped_children_;   // by node
  std::vector<Match> recalled_;
  ListMatcher list_matcher_;
  ExactMatcher exact_matcher_;
};

}  // namespace dragoman
