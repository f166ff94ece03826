// What is done with one minibatch: a step of training, or scores. The work is shared by a team, in units that do not
// depend on its size, so weights and scores are the same bits for any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "nlm/direct_features.h"
#include "nlm/hidden_side.h"
#include "nlm/minibatch.h"
#include "nlm/network.h"
#include "nlm/output_layer.h"

namespace dragoman::nlm {

struct StepOptions {
  float rate;
  float pull;     // on weights that are used, relative to the gradient of the whole minibatch
  float penalty;  // weight of log^2 Z of each factor
  double dropout;
  uint64_t seed;  // of what is left out, and of noise
};

// By row: log P of the class and of the word in it, and log Z of the two factors. A class of one word has 0 for both.
struct RowScores {
  std::vector<float> of_class, of_word, class_normaliser, word_normaliser;

  void resize(size_t rows);
};

class NetworkStep {
 public:
  // `direct` may be null.
  NetworkStep(Network& network, const ClassedWords& words, const DirectFeatures* direct, const NoiseOptions& noise,
              Team& team);

  // Work for the team in between that has nothing to do with the step: its stages come one after another.
  using Besides = std::array<LeftOver, 3>;

  // Changes the weights; returns the summed loss.
  double train(const Minibatch& batch, const StepOptions& options, Besides besides = {});
  const RowScores& score(const Minibatch& batch);

  // What rows with noise of their own draw: of classes, or of words, as rows of the output layer; those of a class of
  // one word draw none. For comparisons.
  std::vector<uint32_t> drawn(const Minibatch& batch, uint64_t seed, bool words) const;

 private:
  void fill_hidden(const Minibatch& batch, double dropout, uint64_t seed);
  void add_full_sides(const Minibatch& batch);
  void find_direct(const Minibatch& batch);
  std::vector<Factor> class_factor(const Minibatch& batch) const;
  std::vector<Factor> word_factors(const Minibatch& batch) const;
  LayerRows class_rows(const Minibatch& batch, std::span<const Factor> factors);
  LayerRows word_rows(const Minibatch& batch, std::span<const Factor> factors);
  void change_hidden(const Minibatch& batch, const StepOptions& options);
  void change_sides(const Minibatch& batch, const TrainingRates& rates);

  Network& network_;
  const ClassedWords& words_;
  const DirectFeatures* const direct_;
  Team& team_;
  HiddenSide side_;
  std::optional<HiddenSide> source_side_;
  OutputLayer classes_, in_class_;
  HiddenRows hidden_;
  RowScores scores_;
  LineVector<float> kept_, of_bias_, none_;
  std::vector<LineVector<Product>> products_;  // by thread: of a row
};

}  // namespace dragoman::nlm
