// Learns a LinearModel: the averaged perceptron (Collins 2002; Freund and Schapire 1999). Where the best alternative by
// the weights is not the right one, the weights move by one. All numbers are integers, so the same text gives the same
// bytes everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "text/linear_model.h"

namespace dragoman::text {

template <size_t Alternatives>
class Perceptron {
 public:
  using Model = LinearModel<Alternatives>;

  // As many buckets as a power of two.
  explicit Perceptron(uint64_t buckets) : weights_(buckets), sums_(buckets), mask_(buckets - 1) {}

  void learn(std::span<const uint64_t> features, size_t usual, size_t right) {
    ++time_;
    std::array<int64_t, Alternatives - 1> scores = {};
    for (uint64_t feature : features)
      for (size_t i = 0; i < scores.size(); ++i) scores[i] += weights_[feature & mask_][i];
    const size_t chosen = best_alternative<Alternatives>(scores, usual, Model::usual_bonus / Model::step);
    if (chosen == right) return;
    move(features, right, 1);
    move(features, chosen, -1);
  }

  // The mean of the weights over time, in steps.
  Model finish() const {
    std::vector<typename Model::Weights> means(weights_.size());
    const int64_t half = time_ / 2;
    for (size_t bucket = 0; bucket < means.size(); ++bucket)
      for (size_t i = 0; i + 1 < Alternatives; ++i) {
        const int64_t sum = Model::step * (int64_t{weights_[bucket][i]} * time_ - sums_[bucket][i]);
        means[bucket][i] =
            static_cast<int8_t>(std::clamp<int64_t>((sum + (sum < 0 ? -half : half)) / time_, INT8_MIN, INT8_MAX));
      }
    return Model(std::move(means));
  }

 private:
  void move(std::span<const uint64_t> features, size_t which, int by) {
    if (which == 0) return;
    for (uint64_t feature : features) {
      weights_[feature & mask_][which - 1] += by;
      sums_[feature & mask_][which - 1] += by * time_;
    }
  }

  std::vector<std::array<int32_t, Alternatives - 1>> weights_;
  std::vector<std::array<int64_t, Alternatives - 1>> sums_;  // of each move and the time it was made at
  uint64_t mask_;
  int64_t time_ = 1;
};

}  // namespace dragoman::text
