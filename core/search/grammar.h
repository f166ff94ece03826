// The rules that may be used on one sentence: a trie over source sides, words and gaps, with a list of rules at each
// side that has any, best first and no longer than the limit. Filled by a RuleSource, and by what the sentence itself
// adds: words that pass through, the user's constraints.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "base/interrupt.h"
#include "base/namespaces.h"
#include "search/arena.h"
#include "search/rule_filter.h"
#include "search/rule_pricer.h"
#include "search/rule_source.h"
#include "search/scored_rule.h"

namespace dragoman::search {

class SentenceGrammar : public RuleSink {
 public:
  static constexpr uint32_t root = 0;
  static constexpr uint32_t none = FlatMap::absent;

  // Without a filter all rules are taken.
  SentenceGrammar(Arena& arena, RulePricer& pricer, uint32_t rules_per_side, Interrupt* interrupt = nullptr,
                  const RuleFilter::Bound* filter = nullptr)
      : arena_(arena),
        pricer_(pricer),
        rules_per_side_(rules_per_side),
        interrupt_(interrupt),
        filter_(filter),
        nodes_(1) {}

  const FeatureSet& features() const override { return pricer_.features(); }
  Interrupt* interrupt() const override { return interrupt_; }
  // Keeps the best; where a side comes again, those of both.
  void take(std::span<const Rule> rules) override;

  uint32_t child(uint32_t node, Symbol symbol) const {
    return children_.find(uint64_t{node} << 32 | static_cast<uint32_t>(symbol));
  }
  uint32_t gap_child(uint32_t node) const { return nodes_[node].gap_child; }
  std::span<const ScoredRule* const> rules(uint32_t node) const { return nodes_[node].rules; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  uint64_t rule_total() const { return rule_total_; }

 private:
  struct Node {
    std::vector<const ScoredRule*> rules;
    uint32_t gap_child = none;
  };
  struct Priced {
    const Rule* rule;
    double score;
    double estimate;
  };
  void keep_best(size_t most, double Priced::* key);
  ScoredRule* kept(const Priced& priced, std::span<const Symbol> source);
  uint32_t step(uint32_t node, Symbol symbol);

  Arena& arena_;
  RulePricer& pricer_;
  uint32_t rules_per_side_;
  Interrupt* interrupt_;
  const RuleFilter::Bound* filter_;
  std::vector<Node> nodes_;
  FlatMap children_;
  // Of the side at hand.
  std::vector<Priced> priced_;
  std::vector<ScoredRule*> kept_;
  uint64_t rule_total_ = 0;
};

}  // namespace dragoman::search
