// Chooses one of a few alternatives from hashed features of a place: each feature adds what its bucket says for each
// alternative but the first, which has no weights, and the usual one has a head start that the evidence must outweigh.
// Without weights the usual one always wins. A choice costs one load for each feature; perceptron.h learns the weights.
//
// In a container: `<prefix>.weights`, a byte for each alternative but the first, for each of a power of two of buckets.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/hash.h"
#include "base/namespaces.h"

namespace dragoman::text {

// The best of the alternatives by their scores; among equals the usual one, then the first.
template <size_t Alternatives>
size_t best_alternative(const std::array<int64_t, Alternatives - 1>& scores, size_t usual, int64_t bonus) {
  std::array<int64_t, Alternatives> all = {};
  for (size_t i = 1; i < Alternatives; ++i) all[i] = scores[i - 1];
  all[usual] += bonus;
  size_t best = usual;
  for (size_t i = 0; i < Alternatives; ++i)
    if (all[i] > all[best]) best = i;
  return best;
}

// The features of a place, each the hash of its number and its parts.
template <size_t Count>
class HashedFeatures {
 public:
  void add(std::initializer_list<uint64_t> parts) {
    uint64_t hash = size_;
    for (uint64_t part : parts) hash = mix(hash ^ part);
    hashes_[size_++] = hash;
  }
  operator std::span<const uint64_t>() const { return hashes_; }

 private:
  std::array<uint64_t, Count> hashes_;
  size_t size_ = 0;
};

template <size_t Alternatives>
class LinearModel {
 public:
  using Weights = std::array<int8_t, Alternatives - 1>;
  // The head start, in units of the weights; the trainer's steps are `step` of them.
  static constexpr int step = 8;
  static constexpr int usual_bonus = 2 * step;
  static constexpr uint64_t max_buckets = uint64_t{1} << 30;

  // Knows nothing: the usual alternative everywhere.
  LinearModel() = default;
  // As many as a power of two.
  explicit LinearModel(std::vector<Weights> weights) {
    auto owned = std::make_shared<const std::vector<Weights>>(std::move(weights));
    weights_ = *owned;
    owner_ = std::move(owned);
  }
  // Knows nothing if the file does not have the section.
  static LinearModel open(const Container& container, const std::string& prefix) {
    LinearModel model;
    const std::string name = prefix + ".weights";
    if (!container.has(name)) return model;
    model.weights_ = container.array<Weights>(name);
    if (!model.empty() && (!std::has_single_bit(model.weights_.size()) || model.weights_.size() > max_buckets))
      container.fail(name, "does not hold a power of two of weights");
    model.owner_ = container.buffer();
    return model;
  }
  // The model must outlive writer.write().
  void add_to(ContainerWriter& writer, const std::string& prefix) const {
    if (!empty()) writer.add(prefix + ".weights", weights_);
  }

  bool empty() const { return weights_.empty(); }

  size_t choose(std::span<const uint64_t> features, size_t usual) const {
    if (empty()) return usual;
    const uint64_t mask = weights_.size() - 1;
    std::array<int64_t, Alternatives - 1> scores = {};
    for (uint64_t feature : features)
      for (size_t i = 0; i < scores.size(); ++i) scores[i] += weights_[feature & mask][i];
    return best_alternative<Alternatives>(scores, usual, usual_bonus);
  }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const Weights> weights_;
};

}  // namespace dragoman::text
