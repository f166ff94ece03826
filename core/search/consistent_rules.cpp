#include "search/consistent_rules.h"

#include <vector>

#include "rules/rule_batch.h"

namespace dragoman::search {

// Passes rules on, those that agree with the memory with one feature more.
class ConsistentRules::Marker : public RuleSink {
 public:
  Marker(const DocumentMemory& memory, RuleSink& sink)
      : memory_(memory), sink_(sink), feature_(sink.features().find(consistency)) {}

  const FeatureSet& features() const override { return sink_.features(); }
  Interrupt* interrupt() const override { return sink_.interrupt(); }

  void take(std::span<const Rule> rules) override {
    agreements_.clear();
    bool any = false;
    for (const Rule& rule : rules) {
      agreements_.push_back(memory_.agreement(rule));
      any = any || agreements_.back() > 0;
    }
    if (!any || feature_ == FeatureSet::none) return sink_.take(rules);
    marked_.clear();
    marked_.begin_side(rules[0].source);
    for (size_t at = 0; at < rules.size(); ++at) {
      const Rule& rule = rules[at];
      values_.assign(rule.features.begin(), rule.features.end());
      if (agreements_[at] > 0) values_.push_back({feature_, agreements_[at]});
      marked_.add(rule.target, rule.links, values_, rule.reference, rule.kind);
    }
    sink_.take(marked_.rules());
  }

 private:
  const DocumentMemory& memory_;
  RuleSink& sink_;
  FeatureId feature_;
  std::vector<float> agreements_;  // of the rules at hand
  std::vector<FeatureValue> values_;
  RuleBatch marked_;
};

ConsistentRules::ConsistentRules(std::shared_ptr<const RuleSource> inner, std::span<const TrainingPair> context)
    : WrappedRules(std::move(inner)), memory_(source_words(), target_words()) {
  for (const TrainingPair& pair : context) memory_.add(pair);
}

std::unique_ptr<CollectedRules> ConsistentRules::collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                                         RuleSink& sink) const {
  if (memory_.empty()) return inner().collect(sentence, max_span, gaps, sink);
  Marker marker(memory_, sink);
  return inner().collect(sentence, max_span, gaps, marker);
}

}  // namespace dragoman::search
