// One layer of the output in training: of the classes, or of the words within them. Factors are computed whole
// (factor_layer.h) for maximum likelihood, for scores, and for noise that rows share where a factor is not much larger
// than that; otherwise rows look at the candidates they drew (sampled_layer.h). Direct n-grams add to both.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "nlm/direct_layer.h"
#include "nlm/factor_layer.h"
#include "nlm/noise.h"
#include "nlm/sampled_layer.h"
#include "nlm/shared_work.h"

namespace dragoman::nlm {

// How many noise candidates each word is told from, 0 for maximum likelihood, and whether words share them.
struct NoiseOptions {
  uint32_t samples = 0;
  bool shared = true;
};

// What the rows of a minibatch have of a layer.
struct LayerRows {
  std::span<const Factor> factors;
  std::span<const uint32_t> observed;  // by row: which candidate of its factor
  std::span<float> log_probs, log_normalisers;
};

struct LayerStep {
  AdaGradStep rates;
  Objective objective;
  uint64_t seed;  // of noise
};

// Work that nobody waits for, such as changes of weights: the next to share work with the team takes it along.
struct LeftOver {
  size_t units = 0;
  std::function<void(size_t unit, size_t thread)> work;

  // Takes more in, to be begun first.
  void add(LeftOver more);
  void finish(Team& team);
};

class OutputLayer {
 public:
  // `counts` by row of the table, whose factors are the rows [factor_begin[i], factor_begin[i + 1]). `first_writer` as
  // in FactorLayer.
  OutputLayer(ParameterTable& weights, ParameterTable& bias, bool first_writer, const NoiseOptions& noise,
              std::span<const double> counts, std::span<const uint32_t> factor_begin);

  // Features of direct n-grams, as DirectLayer has them.
  void add_direct(ParameterTable& weights, std::span<const uint32_t> begin, std::span<const uint32_t> candidates) {
    direct_.emplace(weights, begin, candidates);
  }
  DirectLayer& direct() { return *direct_; }

  // Changes the weights, but for what is left over; does what another has left over.
  void train(Team& team, HiddenRows& hidden, const LayerRows& rows, const LayerStep& step, LeftOver& left);
  void score(Team& team, HiddenRows& hidden, const LayerRows& rows);

  // What a row with noise of its own draws in a step, as rows of the table.
  std::vector<uint32_t> drawn(const Factor& factor, uint32_t row, uint64_t seed) const;

 private:
  bool is_sampled(const Factor& factor) const;
  FactorTarget target(const LayerRows& rows, const Objective& objective);
  void train_whole(Team& team, HiddenRows& hidden, std::span<const Factor> factors, const FactorTarget& target,
                   const AdaGradStep& rates, LeftOver& left);

  const NoiseOptions options_;
  FactorLayer whole_;
  std::optional<Noise> noise_;
  std::optional<SampledLayer> sampled_;
  std::optional<DirectLayer> direct_;
  std::vector<float> times_;  // by row of the table: how often it comes as noise that rows share
};

}  // namespace dragoman::nlm
