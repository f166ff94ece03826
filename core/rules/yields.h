// What matches gave, in the order it was found: matches of all patterns are looked at in the order of the text, so that
// every training sentence is decoded once, and rules are collected pattern by pattern.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "base/prefetch.h"
#include "rules/orientation.h"
#include "rules/pattern_trie.h"
#include "rules/rule.h"

namespace dragoman::rules {

// A target side with its links that a match gave.
struct Yield {
  uint32_t match;  // its number in the sample
  Variant variant;
  std::span<const Symbol> target;
  std::span<const Link> links;
  Orientation orientation;
};

class Yields {
 public:
  // What several matches may give.
  struct Side {
    uint32_t first_symbol, first_link;
    uint16_t symbols;
    uint16_t links;
    Variant variant;
  };

  // For the nodes of [first, end).
  void start(uint32_t first, uint32_t end);
  void add(uint32_t node, const Yield& yield) {
    add(node, yield.match, add_side(yield.variant, yield.target, yield.links), yield.orientation);
  }
  Side add_side(Variant variant, std::span<const Symbol> target, std::span<const Link> links);
  void add(uint32_t node, uint32_t match, const Side& side, Orientation orientation) {
    entries_.push_back({node, match, side, orientation});
    ++begins_[node - first_];
  }
  // Groups what was added by node. Within a node the order stays, or follows the matches if `by_match`.
  void finish(bool by_match);

  bool covers(uint32_t node) const { return node >= first_ && node - first_ < begins_.size(); }
  size_t count(uint32_t node) const { return end_of(node) - begin_of(node); }
  Yield get(uint32_t node, size_t index) const;
  // Asks for what comes so many places after this one before it is needed: for the entry itself, and for the symbols of
  // the one half as far.
  void fetch(uint32_t node, size_t index, size_t ahead) const {
    const uint32_t *at = order_.data() + begin_of(node) + index, *end = order_.data() + end_of(node);
    if (ahead < static_cast<size_t>(end - at)) prefetch(&entries_[at[ahead]]);
    if (ahead / 2 < static_cast<size_t>(end - at)) prefetch(&symbols_[entries_[at[ahead / 2]].side.first_symbol]);
  }

 private:
  struct Entry {
    uint32_t node, match;
    Side side;
    Orientation orientation;
  };
  size_t begin_of(uint32_t node) const { return node == first_ ? 0 : begins_[node - first_ - 1]; }
  size_t end_of(uint32_t node) const { return begins_[node - first_]; }

  uint32_t first_ = 0;
  std::vector<Entry> entries_;
  std::vector<Symbol> symbols_;
  Links links_;
  std::vector<uint32_t> begins_;  // by node from first_: where its entries end in order_
  std::vector<uint32_t> order_;   // entries by node
};

}  // namespace dragoman::rules
