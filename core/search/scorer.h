// The log-linear model (thesis 2.5): named features, weights, language models. Immutable and shared by threads; what
// one sentence needs of it is in ModelSessions.
//
// A hypothesis' score is the sum of its rules' weighted features, known before the search (RulePricer), and of what the
// language models say, known only in context (HypothesisScorer). The search adds up scores alone; feature values are
// worked out again for the hypotheses that are returned.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "search/features.h"
#include "search/language_model.h"
#include "text/vocabulary.h"

namespace dragoman::search {

struct NamedModel {
  std::string name;  // of its feature; unknown words are counted as <name>_OOV
  std::shared_ptr<const LanguageModel> model;
};

class Scorer {
 public:
  // `target` is the vocabulary that rules' target words are from. `features` knows every feature of the grammar; those
  // of the language models are added.
  Scorer(FeatureSet features, std::vector<NamedModel> models, const Vocabulary& target);

  const FeatureSet& features() const { return features_; }
  void set_weights(std::span<const std::pair<std::string, double>> weights);

  struct Model {
    std::shared_ptr<const LanguageModel> model;
    FeatureId feature, oov_feature;
    double weight, oov_weight;
    // What is added to the score of an unknown word that was learned since training; see learned_word.h.
    double learned_bonus = 0;
    std::vector<uint32_t> ids;       // by target word
    size_t context_at, fragment_at;  // where its part of the states begins
  };
  const std::vector<Model>& models() const { return models_; }
  void set_learned_bonus(size_t model, double log10_bonus) { models_[model].learned_bonus = log10_bonus; }
  bool has_expensive() const { return has_expensive_; }
  size_t context_bytes() const { return context_bytes_; }
  size_t fragment_bytes() const { return fragment_bytes_; }

 private:
  FeatureSet features_;
  std::vector<Model> models_;
  size_t context_bytes_ = 0;
  size_t fragment_bytes_ = 0;
  bool has_expensive_ = false;
};

}  // namespace dragoman::search
