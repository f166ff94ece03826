// Whether a word is written small, with a first capital or all in capitals, from what is around it: a linear model over
// hashed features (case_features.h), learned from the written text (case_trainer.h). The usual case of the word has a
// head start, which the evidence must outweigh; without weights it always wins. A choice costs one load for each
// feature.
//
// In a container: `<prefix>.weights`, two bytes for each of a power of two of buckets: what speaks for a capital, and
// what for capitals, against a small letter.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/namespaces.h"

namespace dragoman::text {

enum class WordCase : uint8_t { small, capital, upper };

class CaseModel {
 public:
  using Weights = std::array<int8_t, 2>;  // capital, upper
  // The head start, in units of the weights; the trainer's steps are `step` of them.
  static constexpr int step = 8;
  static constexpr int usual_bonus = 2 * step;
  static constexpr uint64_t max_buckets = uint64_t{1} << 30;

  // Knows nothing: all words have their usual case.
  CaseModel() = default;
  // As many as a power of two.
  explicit CaseModel(std::vector<Weights> weights);
  // Knows nothing if the file does not have the section.
  static CaseModel open(const Container& container, const std::string& prefix);
  void add_to(ContainerWriter& writer, const std::string& prefix) const;

  bool empty() const { return weights_.empty(); }
  WordCase choose(std::span<const uint64_t> features, WordCase usual) const;

 private:
  std::shared_ptr<const void> owner_;
  std::span<const Weights> weights_;
};

// The best of the three by what speaks for a capital and for capitals; among equals the usual one, then the smaller.
WordCase best_case(int64_t capital, int64_t upper, WordCase usual, int64_t bonus);

}  // namespace dragoman::text
