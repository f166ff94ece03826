// Gathers what the matches of a pattern yield: equal target sides become one rule with a count, its most frequent
// links and the matches it came from. A match counts once for a rule however many spans of it give that rule; then
// its links are the smallest of them. Ties between links go to the smaller ones, so no order of work shows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "base/numbering.h"
#include "rules/lexical_scores.h"
#include "rules/node_rules.h"
#include "rules/yields.h"

namespace dragoman::rules {

class RuleCollector {
 public:
  // With `orientations`, those of the yields are counted.
  explicit RuleCollector(bool orientations = false) : oriented_(orientations) {}

  void start();
  // Its links sorted; its match, which counts `weight` times, must not fall from call to call.
  void add(const Yield& yield, uint32_t weight);
  // `words` are the words of the source side; `out` must have begun.
  void finish(uint32_t samples, std::span<const WordId> words, LexicalScores& scores, NodeRules& out);

 private:
  struct Entry {
    uint32_t symbols_begin, symbols_end;
    uint32_t count;
    uint32_t matches;
    uint32_t last_match, last_alignment;
    uint32_t alignments;  // first of a chain
    Variant variant;
  };
  struct Alignment {
    uint32_t links_begin, links_end;
    uint32_t count;
    uint32_t next;
  };

  uint32_t find_entry(Variant variant, std::span<const Symbol> target);
  uint32_t find_alignment(Entry& entry, std::span<const Link> links);
  std::span<const Symbol> target(const Entry& entry) const {
    return std::span(symbols_).subspan(entry.symbols_begin, entry.symbols_end - entry.symbols_begin);
  }
  std::span<const Link> links(const Alignment& alignment) const {
    return std::span(links_).subspan(alignment.links_begin, alignment.links_end - alignment.links_begin);
  }
  uint32_t most_frequent(const Entry& entry) const;
  PairScore score(std::span<const WordId> words, std::span<const Symbol> target, LexicalScores& scores);

  static constexpr uint32_t none = UINT32_MAX;
  const bool oriented_;
  std::vector<Entry> entries_;
  std::vector<uint32_t> orientations_;  // orientation_count for every entry, or none
  std::vector<Alignment> alignments_;
  std::vector<Symbol> symbols_;
  Links links_;
  std::vector<uint64_t> yields_;       // entry << 32 | match
  Numbering numbers_;                  // of the entries
  std::vector<uint32_t> order_;        // of the entries, as rules
  std::vector<uint32_t> matches_;      // of all entries
  std::vector<uint32_t> matches_end_;  // by entry
  uint32_t mass_[variant_count] = {};
  uint32_t last_match_[variant_count] = {};
  std::vector<float> best_without_;  // by source word, of the node at hand: p(source|NULL)
  std::vector<float> best_;          // and with the target words of the rule at hand
};

}  // namespace dragoman::rules
