// The rules that one match of a pattern gives (thesis 2.3.3): each span around it that is consistent with the links has
// a target side, with consistent sub-spans, the gaps, replaced by variables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/aligned_sentence.h"
#include "index/bitext.h"
#include "rules/options.h"
#include "rules/pattern_trie.h"
#include "rules/rule.h"
#include "rules/yields.h"

namespace dragoman::rules {

// The place of a rule in a sentence pair: what it covers on either side and what its gaps do, by source order.
struct RulePlace {
  uint32_t source_begin, source_end;
  Span target = Span::nothing();
  struct Gap {
    uint32_t begin, end;
    Span target = Span::nothing();
  };
  std::vector<Gap> gaps;
};

class MatchRules {
 public:
  explicit MatchRules(const ExtractOptions& options) : options_(options) {}

  // Adds the rules of a match of this node, the one of this number in its sample.
  void find(const PatternTrie& trie, uint32_t node, uint32_t number, Match match, const IndexedBitext& bitext,
            const AlignedSentence& sentence, Yields& yields);
  // Where a match gives a rule with this target side; where several spans do, the first.
  std::optional<RulePlace> place(const PatternTrie& trie, uint32_t node, Match match, const IndexedBitext& bitext,
                                 const AlignedSentence& sentence, Variant variant, std::span<const Symbol> target);

 private:
  // A gap of a rule at hand; positions within the sentence.
  using Gap = RulePlace::Gap;
  // A rule whose place is looked for: rules are then not collected.
  struct Wanted {
    Variant variant;
    std::span<const Symbol> target;
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

  void visit(const PatternTrie& trie, Match match, const AlignedSentence& sentence);
  bool gap_fits(const AlignedSentence& sentence, const Gap& gap) const;
  void find_left_gaps(const AlignedSentence& sentence, uint32_t begin, uint32_t end);
  void find_right_gaps(const AlignedSentence& sentence, uint32_t begin, uint32_t end);
  void yield(const AlignedSentence& sentence, Variant variant, const Gap* left, const Gap* right);
  Pieces pieces_of(const Span& whole) const;
  Shape shape_of(const Pieces& pieces) const;
  void emit(const AlignedSentence& sentence, Variant variant, const Pieces& pieces);
  void emit_loose(const AlignedSentence& sentence, Variant variant, const Span& whole, uint32_t width, size_t gap);

  const ExtractOptions options_;

  // Of the match at hand.
  const IndexedBitext* bitext_ = nullptr;
  Yields* yields_ = nullptr;
  uint32_t node_ = 0, number_ = 0;
  uint32_t begin_ = 0, end_ = 0;
  uint32_t phrase_count_ = 0;
  uint32_t phrase_begins_[max_phrases] = {}, phrase_ends_[max_phrases] = {};
  Span inside_ = Span::nothing();  // of [begin_, end_)
  Gap inner_gaps_[max_gaps] = {};
  Orientation orientation_;
  std::vector<Gap> left_gaps_, right_gaps_;
  Gap gaps_[max_gaps] = {};  // of the rule at hand, in source order
  uint32_t gap_count_ = 0;
  std::vector<Shape> shapes_;  // of the rules that the match gave for the variant at hand
  Wanted* wanted_ = nullptr;
  std::vector<Symbol> target_;
  Links links_;
};

}  // namespace dragoman::rules
