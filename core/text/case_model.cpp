#include "text/case_model.h"

#include <bit>

namespace dragoman::text {

WordCase best_case(int64_t capital, int64_t upper, WordCase usual, int64_t bonus) {
  std::array<int64_t, 3> scores = {0, capital, upper};
  scores[static_cast<size_t>(usual)] += bonus;
  WordCase best = usual;
  for (WordCase each : {WordCase::small, WordCase::capital, WordCase::upper})
    if (scores[static_cast<size_t>(each)] > scores[static_cast<size_t>(best)]) best = each;
  return best;
}

CaseModel::CaseModel(std::vector<Weights> weights) {
  auto owned = std::make_shared<const std::vector<Weights>>(std::move(weights));
  weights_ = *owned;
  owner_ = std::move(owned);
}

CaseModel CaseModel::open(const Container& container, const std::string& prefix) {
  CaseModel model;
  const std::string name = prefix + ".weights";
  if (!container.has(name)) return model;
  model.weights_ = container.array<Weights>(name);
  if (!model.empty() && (!std::has_single_bit(model.weights_.size()) || model.weights_.size() > max_buckets))
    container.fail(name, "does not hold a power of two of weights");
  model.owner_ = container.buffer();
  return model;
}

void CaseModel::add_to(ContainerWriter& writer, const std::string& prefix) const {
  if (!empty()) writer.add(prefix + ".weights", weights_);
}

WordCase CaseModel::choose(std::span<const uint64_t> features, WordCase usual) const {
  if (empty()) return usual;
  const uint64_t mask = weights_.size() - 1;
  int64_t capital = 0, upper = 0;
  for (uint64_t feature : features) {
    const Weights& weights = weights_[feature & mask];
    capital += weights[0];
    upper += weights[1];
  }
  return best_case(capital, upper, usual, usual_bonus);
}

}  // namespace dragoman::text
