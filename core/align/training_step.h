// A model in training as two messages: the word pairs, which stay, and the probabilities, which every step changes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "align/inference.h"
#include "align/pair_table.h"
#include "base/container.h"

namespace dragoman::align {

struct TrainingStep {
  static constexpr std::string_view pairs_kind = "alignment-pairs";
  static constexpr std::string_view step_kind = "alignment-step";

  ModelParameters parameters;
  PairTable table;
  std::vector<uint32_t> source_frequencies, target_frequencies;

  static std::vector<std::byte> pack_pairs(const PairTable& table, std::span<const uint32_t> source_frequencies,
                                           std::span<const uint32_t> target_frequencies);
  static std::vector<std::byte> pack_step(const PairTable& table, const ModelParameters& parameters);
  // Throws FormatError for what are no such messages, or do not go together.
  static TrainingStep parse(const Container& pairs, const Container& step);
};

}  // namespace dragoman::align
