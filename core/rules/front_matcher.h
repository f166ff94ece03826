// Samples of gapped patterns of frequent words, in the front of the text. There the places of every word in question
// are known, so that where a phrase begins among thousands of words is soon a row of bits. At an occurrence of a
// pattern's rarest phrase, the anchor, a shift gives where another phrase begins in the words around as the bits of one
// number, and what the number is masked with says where it may: most patterns that are not there cost a few
// instructions.
//
// All patterns of a sentence are looked for block by block, so that a row serves all of them, and a pattern is done as
// soon as a sentence ends with enough matches: sentences lie in sample order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/tombstones.h"
#include "rules/front_places.h"
#include "rules/goal.h"
#include "rules/match_cost.h"
#include "rules/options.h"
#include "rules/pattern_trie.h"

namespace dragoman::rules {

class FrontMatcher {
 public:
  FrontMatcher(const ExtractOptions& options, MatchCost& cost) : options_(options), cost_(cost) {}

  // Whether a goal is one for here: its words are told, and its anchor is frequent enough for going through all blocks.
  bool serves(const IndexedBitext& bitext, const FrontPlaces& front, const PatternTrie& trie, const Goal& goal) const;
  // Finds the matches of these goals, which it serves, in the front of the text. Those that do not get full may have
  // more matches behind it.
  void match(const IndexedBitext& bitext, const FrontPlaces& front, const PatternTrie& trie, std::span<Goal> goals,
             const Exclusion& excluded);

 private:
  // Where the phrases besides the anchor stand.
  enum class PartnerSide : uint8_t { left, both_left, around, right, both_right };
  // What is looked for. A window is the words around an occurrence of the anchor; its lowest bit is the first word that
  // may belong to a match.
  struct Task {
    Goal* goal;
    PartnerSide side;
    uint32_t first_reach;  // from where the first phrase begins to where the second may
    uint32_t second_length;
    uint32_t anchor_length;
    uint32_t anchor, first, second;    // rows; of one phrase, the first alone
    uint32_t first_mask, second_mask;  // where in a window they may begin
    bool first_left() const { return side <= PartnerSide::around; }
    bool single() const { return side == PartnerSide::left || side == PartnerSide::right; }
  };
  // A phrase.
  struct Row {
    WordId word;                    // its first
    uint32_t rest_begin, rest_end;  // in rest_, the rows of its other words
    bool is_anchor = false, is_marked = false;
    std::span<const uint16_t> places = {};  // in the block at hand
  };
  // An occurrence of the anchor at hand.
  struct AnchorWindow {
    uint32_t window;    // where it begins, in the rows
    uint32_t sentence;  // the words in it that are of the same sentence
  };
  // One with the first phrase in its window, by where that begins.
  struct Hit {
    AnchorWindow place;
    uint32_t firsts;
  };
  // And one with the second too.
  struct Both {
    uint32_t window, firsts, seconds;
  };

  Task task_of(Goal& goal);
  uint32_t row_of_phrase(uint32_t node);
  uint32_t row_of_word(WordId word);
  void note_needed_rows();
  void mark(uint32_t row);
  void fill_rows(const FrontPlaces::Block& block);
  void find_places(const Task& task, uint64_t begin);
  void find_hits(const Task& task);
  void search(const Task& task, uint64_t begin);
  void push(Goal& goal, uint64_t anchor, Match match) { goal.push(*bitext_, anchor, match, options_.max_samples); }
  // How many words before an anchor of so many may belong to a match, and as many after it.
  uint32_t reach_of(uint32_t length) const { return std::max(options_.max_rule_span, length) - length; }
  uint64_t* marks(uint32_t row) { return marks_.data() + row * stride_; }
  static uint32_t window(const uint64_t* marks, uint32_t from) {
    uint64_t bits;
    std::memcpy(&bits, reinterpret_cast<const uint8_t*>(marks) + from / 8, sizeof bits);
    return static_cast<uint32_t>(bits >> from % 8);
  }
  static bool is_set(const uint64_t* marks, uint32_t at) { return (marks[at / 64] >> at % 64 & 1) != 0; }

  const ExtractOptions options_;
  MatchCost& cost_;
  const IndexedBitext* bitext_ = nullptr;
  const PatternTrie* trie_ = nullptr;
  Exclusion excluded_;
  std::vector<Task> tasks_;
  std::vector<Row> rows_;  // the first is that of separators
  std::vector<uint32_t> rest_;
  std::vector<uint32_t> rows_of_words_;
  FlatMap rows_of_phrases_;  // by node
  // Of the block at hand: where marked phrases begin, by bits, 64 more on either side; and the places of those that
  // have several words.
  size_t stride_ = 0;
  std::vector<uint64_t> marks_;
  std::vector<uint16_t> phrase_places_;
  uint32_t before_ = 0, after_ = 0;  // in a window, where the anchor at hand begins and ends
  std::vector<AnchorWindow> places_;
  std::vector<Hit> hits_;
  std::vector<Both> both_;
  size_t hit_count_ = 0;
};

}  // namespace dragoman::rules
