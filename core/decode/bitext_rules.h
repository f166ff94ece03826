// Rules straight from the bitext index: those of every pattern of the sentence, extracted when the sentence comes, and
// from where in the bitext each was taken.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "decode/grammar.h"
#include "extract/rule_extractor.h"

namespace dragoman::decode {

class BitextRules : public RuleSource {
 public:
  // max_rule_span of the options is replaced by the decoder's.
  BitextRules(std::shared_ptr<const Index> index, const ExtractOptions& options);
  ~BitextRules() override;

  const Vocabulary& source_words() const override { return index_->source_words; }
  const Vocabulary& target_words() const override { return index_->target_words; }
  void add_features(FeatureSet& features) const override;
  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          SentenceGrammar& grammar) const override;
  std::optional<TrainingPair> pair(uint64_t stable_id) const override;
  const Index& index() const { return *index_; }

 private:
  struct Worker;
  class Collected;
  // Extractors keep their memory from sentence to sentence; as many exist as threads have decoded at once.
  std::unique_ptr<Worker> take(uint32_t max_span, bool gaps) const;
  void give_back(std::unique_ptr<Worker> worker) const;

  std::shared_ptr<const Index> index_;
  ExtractOptions options_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace dragoman::decode
