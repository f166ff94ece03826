// Softmax factors of an output layer that learn from noise which every word draws for itself (thesis 4.5): of each row
// of a minibatch the observed candidate and the drawn ones, each a pair of a row and weights, and nothing else of the
// factor. Noise that rows of a large factor share comes the same way.
//
// Two passes: over rows, for logits, slopes and the gradient of the hidden layer; and over the candidates that occur,
// each of which sums the gradient of its pairs and is changed. D times (samples + 1) a row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nlm/direct_layer.h"
#include "nlm/factor_layer.h"
#include "nlm/minibatch.h"
#include "nlm/noise.h"
#include "nlm/shared_work.h"

namespace dragoman::nlm {

// A row of the minibatch, the factor it belongs to, and which of its candidates was observed.
struct SampledRow {
  uint32_t row, first, count, observed;
};

struct SampledStep {
  AdaGradStep rates;
  float scale;    // of the slopes
  uint64_t seed;  // of the noise
  bool shared;    // by the rows of a factor
};

class SampledLayer {
 public:
  // `first_writer` as in FactorLayer.
  SampledLayer(ParameterTable& weights, ParameterTable& bias, const Noise& noise, bool first_writer);

  // Changes the weights; adds what it cost to `log_probs`, by row of the minibatch. `direct` may be null.
  void train(Team& team, HiddenRows& hidden, std::span<const SampledRow> rows, const SampledStep& step,
             std::span<float> log_probs, DirectLayer* direct);

  // For features of single candidates: whether a row was among the last ones, and its slopes.
  bool has(uint32_t row) const { return row < place_of_row_.size() && place_of_row_[row] != no_row; }
  void add_slopes(uint32_t row, std::span<const uint32_t> candidates, float* sums) const;

 private:
  void draw(size_t begin, size_t end, std::span<const SampledRow> rows, const SampledStep& step);
  void do_row(size_t place, const SampledRow& row, HiddenRows& hidden, const SampledStep& step,
              std::span<float> log_probs, const DirectLayer* direct, std::span<float> bench);
  void change(Team& team, std::span<const SampledRow> rows, const HiddenRows& hidden, const AdaGradStep& rates);

  ParameterTable& weights_;
  ParameterTable& bias_;
  const Noise& noise_;
  const bool first_writer_;
  const uint32_t width_;                // pairs of a row; the first is the observed one
  std::vector<uint32_t> candidates_;    // by pair: rows of the table
  std::vector<float> slopes_;           // by pair
  std::vector<uint32_t> firsts_;        // by place among the rows: where the factor begins
  std::vector<uint32_t> place_of_row_;  // by row of the minibatch
  std::vector<LineVector<float>> benches_;
  Occurrences occurrences_;
};

}  // namespace dragoman::nlm
