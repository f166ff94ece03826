// Rules for text whose document has been translated in part: those that make of a word what was made of it before have
// a feature that says so (document_memory.h). They are the rules of another source, as they are now.
#pragma once

#include <memory>
#include <span>

#include "base/namespaces.h"
#include "search/document_memory.h"
#include "search/wrapped_rules.h"

namespace dragoman::search {

class ConsistentRules : public WrappedRules {
 public:
  // `context` are pairs of the document, in words of the model.
  ConsistentRules(std::shared_ptr<const RuleSource> inner, std::span<const TrainingPair> context);

  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          RuleSink& sink) const override;

 private:
  class Marker;

  DocumentMemory memory_;
};

}  // namespace dragoman::search
