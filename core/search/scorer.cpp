#include "search/scorer.h"

namespace dragoman::search {
namespace {

size_t aligned(size_t bytes) { return (bytes + 7) & ~size_t{7}; }

}  // namespace

Scorer::Scorer(FeatureSet features, std::vector<NamedModel> models, const Vocabulary& target)
    : features_(std::move(features)) {
  for (NamedModel& named : models) {
    Model model;
    model.feature = features_.add(named.name);
    model.oov_feature = features_.add(named.name + "_OOV");
    model.weight = features_.weight(model.feature);
    model.oov_weight = features_.weight(model.oov_feature);
    model.ids.resize(target.size());
    for (WordId word = 0; word < target.size(); ++word)
      model.ids[word] = word < Vocabulary::first_word ? named.model->unknown() : named.model->find(target.word(word));
    model.context_at = context_bytes_;
    model.fragment_at = fragment_bytes_;
    context_bytes_ += aligned(named.model->context_bytes());
    fragment_bytes_ += aligned(named.model->fragment_bytes());
    has_expensive_ = has_expensive_ || named.model->expensive();
    model.model = std::move(named.model);
    models_.push_back(std::move(model));
  }
  // Weights may name the usual language model whether or not there is one.
  features_.add("LanguageModel");
  features_.add("LanguageModel_OOV");
}

void Scorer::set_weights(std::span<const std::pair<std::string, double>> weights) {
  features_.set_weights(weights);
  for (Model& model : models_) {
    model.weight = features_.weight(model.feature);
    model.oov_weight = features_.weight(model.oov_feature);
  }
}

}  // namespace dragoman::search
