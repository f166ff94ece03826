// Translation rules for the patterns of an input sentence, straight from the aligned bitext (thesis 2.4.3 and 3.2): for
// every sampled match, each span around it that is consistent with the links gives a target side, with consistent
// sub-spans, the gaps, replaced by variables. One extractor per thread; the index is shared. Rules are made when a
// node's are asked for, so that a decoder pays only for the patterns it uses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "extract/aligned_sentence.h"
#include "extract/lexical_scores.h"
#include "extract/pattern_matcher.h"
#include "extract/rule_cache.h"
#include "extract/rule_collector.h"
#include "extract/snapshot.h"

namespace dragoman {

// Where a match comes from.
struct MatchOrigin {
  uint64_t stable_id;            // of the sentence pair
  uint32_t weight;               // how often the match counts
  uint32_t begins[max_phrases];  // of the pattern's phrases in the source sentence
};

// The place of a rule in a sentence pair: what it covers on either side and what its gaps do, by source order.
struct RulePlace {
  uint32_t source_begin, source_end;
  Projection target;
  struct Gap {
    uint32_t begin, end;
    Projection target;
  };
  std::vector<Gap> gaps;
};

class RuleExtractor {
 public:
  RuleExtractor(std::shared_ptr<const Snapshot> snapshot, const ExtractOptions& options);
  RuleExtractor(std::shared_ptr<const Index> index, const ExtractOptions& options)
      : RuleExtractor(std::make_shared<const Snapshot>(std::move(index)), options) {}

  // Matches the patterns of a sentence. With `leave_out`, as if that sentence pair were not in the bitext.
  void start(std::span<const WordId> input, std::optional<uint64_t> leave_out = std::nullopt);
  const PatternTrie& patterns() const { return trie_; }
  // The rules of one node; `out` may be used again for the next.
  void extract(uint32_t node, NodeRules& out);
  MatchOrigin origin(uint32_t node, uint32_t match) const;
  // Where a match of the sample gave a rule with this target side; where several spans did, the first.
  std::optional<RulePlace> place(uint32_t node, uint32_t match, Variant variant, std::span<const TargetSymbol> target);

  const Snapshot& snapshot() const { return *snapshot_; }
  const ExtractOptions& options() const { return options_; }
  const MatchCost& cost() const { return matcher_.cost(); }

 private:
  static constexpr uint32_t max_gaps = max_phrases - 1;
  // A gap of a rule at hand; positions within the sentence.
  using Gap = RulePlace::Gap;
  // A rule whose place is looked for: matches are then not collected.
  struct Wanted {
    Variant variant;
    std::span<const TargetSymbol> target;
    std::optional<RulePlace> place;
  };

  // The target words of the rule at hand: what lies before, between and after its gaps, in target order.
  struct Pieces {
    uint32_t begins[max_gaps + 1], ends[max_gaps + 1];
    bool second_first;  // the second gap of the source comes first
    uint32_t gap_at(uint32_t place) const { return place ^ uint32_t{second_first}; }
  };
  // Pieces, empty ones alike, in two words.
  struct Shape {
    uint64_t front, back;
    friend bool operator==(const Shape&, const Shape&) = default;
  };

  void extract_match(uint32_t node, uint32_t number, Match match, SentencePlace place);
  bool gap_fits(const AlignedSentence& sentence, const Gap& gap) const;
  void find_left_gaps(const AlignedSentence& sentence, uint32_t begin, uint32_t end);
  void find_right_gaps(const AlignedSentence& sentence, uint32_t begin, uint32_t end);
  void yield(const AlignedSentence& sentence, uint32_t number, Variant variant, const Gap* left, const Gap* right);
  Pieces pieces(const Projection& whole) const;
  Shape shape_of(const Pieces& pieces) const;
  void emit(const AlignedSentence& sentence, uint32_t number, Variant variant, const Pieces& pieces);
  void emit_loose(const AlignedSentence& sentence, uint32_t number, Variant variant, const Projection& whole,
                  uint32_t width, size_t gap);

  std::shared_ptr<const Snapshot> snapshot_;
  const ExtractOptions options_;
  PatternMatcher matcher_;
  PatternTrie trie_;
  SentenceCache sentences_;
  LexicalScores scores_;
  RuleCollector collector_;
  RuleCache cache_;
  bool caching_ = false;  // in the sentence at hand

  // Of the match at hand.
  const IndexedBitext* bitext_ = nullptr;
  uint32_t weight_ = 1;
  uint32_t begin_ = 0, end_ = 0;
  uint32_t phrase_count_ = 0;
  uint32_t phrase_begins_[max_phrases] = {}, phrase_ends_[max_phrases] = {};
  Projection inside_;  // of [begin_, end_)
  Gap inner_gaps_[max_gaps] = {};
  std::vector<Gap> left_gaps_, right_gaps_;
  Gap gaps_[max_gaps] = {};  // of the rule at hand, in source order
  uint32_t gap_count_ = 0;
  std::vector<Shape> shapes_;  // of the rules that the match gave for the variant at hand
  Wanted* wanted_ = nullptr;
  std::vector<TargetSymbol> target_;
  std::vector<SymbolLink> links_;
  std::vector<WordId> terminals_;      // of the node at hand
  std::vector<SentencePlace> places_;  // of the sample at hand
};

}  // namespace dragoman
