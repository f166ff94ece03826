// Samples of gapped patterns without lists of all their matches. Every pattern is looked for around the occurrences of
// its rarest phrase, the anchor, and all patterns with one anchor in one pass: the words around an occurrence are read
// once, and most occurrences have none of the words around them that some pattern needs. At the others the words that
// begin another phrase of a pattern are noted, and pairs of them are looked up.
//
// Because sentences lie in sample order, the pass goes through the occurrences from the front, in rounds of growing
// size, and a pattern is done as soon as a sentence ends with enough matches: a pattern of frequent words fills its
// sample within the first few thousand sentences, and the number of occurrences visited for an anchor stays near
// √(max_samples · text / span) however frequent it is. Patterns of frequent words, which are most of the work, are
// looked for in the front of the text in another way (FrontMatcher).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/tombstones.h"
#include "rules/front_matcher.h"
#include "rules/gap_matcher.h"
#include "rules/goal.h"
#include "rules/match_cost.h"
#include "rules/options.h"
#include "rules/word_signs.h"
#include "rules/workspace.h"

namespace dragoman::rules {

class ExactMatcher : public GapMatcher {
 public:
  ExactMatcher(const Workspace& workspace, const ExtractOptions& options, MatchCost& cost)
      : workspace_(workspace), options_(options), cost_(cost), front_matcher_(options, cost) {}

  void start(const Sentence& sentence) override;
  void match_all(std::span<const uint32_t> nodes) override;

 private:
  // A phrase that stands beside the anchor in some pattern.
  struct Partner {
    uint32_t node;
    uint32_t length;
    uint32_t next_same_first_word;
    uint32_t goal_after;   // the goal "anchor X this", if any
    uint32_t goal_before;  // the goal "this X anchor"
    bool pairs_left, pairs_right;
    uint32_t words;  // where its words begin in words_
  };
  // A partner found near the occurrence at hand.
  struct Hit {
    uint32_t partner;
    uint64_t begin;
  };
  enum class PartnerSide : uint8_t { both_left, around, both_right };

  void match(uint32_t segment, std::span<const uint32_t> nodes);
  std::vector<Goal> goals_of(std::span<const uint32_t> nodes) const;
  void match_anchor(std::span<Goal> goals, uint64_t from);
  void plan(std::span<Goal*> goals);
  uint32_t partner(uint32_t node);
  uint64_t find_occurrences(uint32_t anchor, uint64_t from);
  void visit(uint64_t begin, std::span<Goal*> goals);
  void push(Goal& goal, uint64_t begin, Match match);
  struct Signs {
    uint32_t left, right;
  };
  Signs needed_of(Signs signs) const;
  uint32_t signs_of(const WordSigns& signs, uint64_t begin, uint64_t end) const;
  void find_partners(uint64_t position, uint64_t limit, std::vector<Hit>& hits) const;
  void push_pairs(uint64_t begin, std::span<Goal*> goals);
  static uint64_t pair_key(PartnerSide side, uint32_t first, uint32_t second) {
    return uint64_t{static_cast<uint8_t>(side)} << 60 | uint64_t{first} << 30 | second;
  }

  const Workspace& workspace_;
  const ExtractOptions options_;
  MatchCost& cost_;
  FrontMatcher front_matcher_;
  Sentence sentence_{};
  const PatternTrie* trie_ = nullptr;

  // Of the segment at hand.
  uint32_t segment_ = 0;
  const IndexedBitext* bitext_ = nullptr;
  Exclusion excluded_;

  // For the anchor and round at hand.
  uint32_t anchor_length_ = 0;
  bool any_pairs_ = false;
  size_t filled_ = 0;                                 // goals that filled up since the last plan
  WordSigns before_, after_;                          // of the words that begin partners on either side
  std::vector<uint32_t> needs_before_, needs_after_;  // by goal, the signs of its partners
  std::vector<uint32_t> first_words_;                 // by word, a partner that begins with it
  FlatMap partner_ids_;                               // contiguous node -> partner
  FlatMap pairs_;                                     // pair_key -> goal
  std::vector<Partner> partners_;
  std::vector<WordId> words_;
  std::vector<Hit> left_, right_;
  std::vector<uint64_t> occurrences_, sorted_;
};

}  // namespace dragoman::rules
