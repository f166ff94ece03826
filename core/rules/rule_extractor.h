// Translation rules for the patterns of an input sentence, straight from the aligned bitext (thesis 2.3.3, 3.2, 3.3).
// One extractor per thread; the index is shared.
//
// The sampled matches of a sentence's patterns lie in far fewer training sentences than there are matches (on 100,000
// pairs of debates, 144,000 in 27,000). So matches are looked at in the order of the text, those of many patterns in
// one pass: every training sentence is decoded once, nothing decoded need be kept, and memory is read forwards.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/aligned_sentence.h"
#include "index/snapshot.h"
#include "rules/lexical_scores.h"
#include "rules/lone_word.h"
#include "rules/match_rules.h"
#include "rules/pattern_matcher.h"
#include "rules/rule_collector.h"
#include "rules/workspace.h"
#include "rules/yields.h"

namespace dragoman::rules {

// Where a match comes from.
struct MatchOrigin {
  uint64_t stable_id;            // of the sentence pair
  uint32_t weight;               // how often the match counts
  uint32_t begins[max_phrases];  // of the pattern's phrases in the source sentence
};

class RuleExtractor {
 public:
  RuleExtractor(std::shared_ptr<Workspace> workspace, const ExtractOptions& options);

  // Matches the patterns of a sentence. With `leave_out`, as if that sentence pair were not in the bitext. The
  // interrupt is asked now and then, here and in what follows; when it throws, this must be started again.
  void start(std::span<const WordId> input, std::optional<uint64_t> leave_out = std::nullopt,
             Interrupt* interrupt = nullptr);
  const PatternTrie& patterns() const { return trie_; }
  // The rules of one node; `out` may be used again for the next.
  void extract(uint32_t node, NodeRules& out);
  MatchOrigin origin(uint32_t node, uint32_t number) const;
  // Where a match of the sample gave a rule with this target side; where several spans did, the first.
  std::optional<RulePlace> place(uint32_t node, uint32_t number, Variant variant, std::span<const Symbol> target);

  // Whether the word of this node is no phrase by itself, by a match of it that gave a rule with this target side.
  bool is_lone(uint32_t node, uint32_t number, std::span<const Symbol> target);

  const Snapshot& snapshot() const { return snapshot_; }
  const ExtractOptions& options() const { return options_; }
  const MatchCost& cost() const { return matcher_.cost(); }

 private:
  // A match of the sample of some node.
  struct Looked {
    Match match;
    uint32_t node, number;
  };

  void scan(uint32_t first, uint32_t end);
  void look_at(uint32_t node);
  void keep_base();
  void find_base_numbers(uint32_t node);
  void sort_matches();
  bool kept(uint32_t node);
  // Whether it is a word, and no match that was looked at is a phrase pair.
  bool found_no_phrase(uint32_t node) const;
  void collect_lone(uint32_t node);
  uint32_t weight_of(Match match) const { return snapshot_.is_weighted() ? snapshot_.weight_of_match(match) : 1; }

  const std::shared_ptr<Workspace> workspace_;
  const Snapshot& snapshot_;
  const ExtractOptions options_;
  PatternMatcher matcher_;
  PatternTrie trie_;
  SentenceReader reader_;
  MatchRules match_rules_;
  LoneWord lone_word_;
  LexicalScores scores_;
  Yields yields_;
  RuleCollector collector_;
  const std::shared_ptr<RuleCache> cache_;
  const std::shared_ptr<BaseCache> base_;  // none where there is but one segment
  bool caching_ = false;                   // in the sentence at hand
  Interrupt* interrupt_ = nullptr;         // of the sentence at hand
  PackedRules packed_;
  PackedYields packed_yields_;
  std::vector<uint32_t> unknown_bases_;  // nodes whose matches in the first segment had to be looked at
  std::vector<uint32_t> base_numbers_;   // of the matches in the first segment, of the node at hand
  std::vector<uint8_t> scanned_;         // by node, whether yields_ has what its matches gave
  uint32_t next_ = 0;                    // node after the one asked for last
  std::vector<Looked> looked_, sorted_;
  std::vector<WordId> terminals_;  // of the node at hand
};

}  // namespace dragoman::rules
