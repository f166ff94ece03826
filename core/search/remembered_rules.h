// The rules of sentences that are decoded again and again, as tuning does with every change of the weights: extraction
// takes longer than the search, and rules do not depend on weights. The first time a sentence comes all its rules are
// kept, as long as they fit into the given memory; later it is served from there. What was kept is immutable and shared
// by threads; where rules were seen is not remembered.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/namespaces.h"
#include "search/rule_source.h"

namespace dragoman::search {

class RememberedRules : public RuleSource {
 public:
  RememberedRules(std::shared_ptr<const RuleSource> inner, size_t most_bytes);
  ~RememberedRules() override;

  const Vocabulary& source_words() const override { return inner_->source_words(); }
  const Vocabulary& target_words() const override { return inner_->target_words(); }
  void add_features(FeatureSet& features) const override { inner_->add_features(features); }
  bool is_learned(WordId word) const override { return inner_->is_learned(word); }
  const TaughtText* taught() const override { return inner_->taught(); }
  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          RuleSink& sink) const override;
  bool has_phrase(std::span<const WordId> words) const override { return inner_->has_phrase(words); }

 private:
  struct Stored;
  class Keeper;

  std::shared_ptr<const RuleSource> inner_;
  size_t most_bytes_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<uint64_t, std::shared_ptr<const Stored>> sentences_;
  mutable size_t used_bytes_ = 0;
};

}  // namespace dragoman::search
