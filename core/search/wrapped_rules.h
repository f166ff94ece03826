// The rules of another source, as they are: whoever changes something of them says what.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/namespaces.h"
#include "search/rule_source.h"

namespace dragoman::search {

class WrappedRules : public RuleSource {
 public:
  explicit WrappedRules(std::shared_ptr<const RuleSource> inner) : inner_(std::move(inner)) {}

  const Vocabulary& source_words() const override { return inner_->source_words(); }
  const Vocabulary& target_words() const override { return inner_->target_words(); }
  void add_features(FeatureSet& features) const override { inner_->add_features(features); }
  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          RuleSink& sink) const override {
    return inner_->collect(sentence, max_span, gaps, sink);
  }
  bool is_known(WordId word) const override { return inner_->is_known(word); }
  bool is_known_target(WordId word) const override { return inner_->is_known_target(word); }
  bool is_learned(WordId word) const override { return inner_->is_learned(word); }
  const TaughtText* taught() const override { return inner_->taught(); }
  bool has_phrase(std::span<const WordId> words) const override { return inner_->has_phrase(words); }
  std::optional<TrainingPair> pair(uint64_t stable_id) const override { return inner_->pair(stable_id); }
  double word_probability(WordId source, WordId target) const override {
    return inner_->word_probability(source, target);
  }
  bool is_linked(WordId target) const override { return inner_->is_linked(target); }
  NearPairs nearest(std::span<const std::string> words, const NearOptions& options) const override {
    return inner_->nearest(words, options);
  }

 protected:
  const RuleSource& inner() const { return *inner_; }

 private:
  std::shared_ptr<const RuleSource> inner_;
};

}  // namespace dragoman::search
