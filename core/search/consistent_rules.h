// Rules for text whose document has been translated in part: those that make of a word what was made of it before have
// a feature that says so (document_memory.h). They are the rules of another source, as they are now.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "base/namespaces.h"
#include "search/document_memory.h"
#include "search/rule_source.h"

namespace dragoman::search {

class ConsistentRules : public RuleSource {
 public:
  // `context` are pairs of the document, in words of the model.
  ConsistentRules(std::shared_ptr<const RuleSource> inner, std::span<const TrainingPair> context);

  const Vocabulary& source_words() const override { return inner_->source_words(); }
  const Vocabulary& target_words() const override { return inner_->target_words(); }
  void add_features(FeatureSet& features) const override { inner_->add_features(features); }
  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          RuleSink& sink) const override;
  std::optional<TrainingPair> pair(uint64_t stable_id) const override { return inner_->pair(stable_id); }

 private:
  class Marker;

  std::shared_ptr<const RuleSource> inner_;
  DocumentMemory memory_;
};

}  // namespace dragoman::search
