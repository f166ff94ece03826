// Training of a network from beginning to end: shuffled minibatches, AdaGrad with a rate that falls in a straight line
// to a twentieth, held-out perplexity after each epoch, early stopping, checkpoints. The weights of the best epoch are
// the result, with biases so shifted that log Z of held-out text is 0 on average.
//
// The same text, options and instruction set give the same weights, whatever the number of threads and however often
// the run was stopped. Memory: weights, their squares, what a minibatch needs, and the text as ids, of which only a
// bounded part is looked at for a while (text_order.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "nlm/minibatch.h"
#include "nlm/model_description.h"
#include "nlm/network.h"
#include "nlm/network_step.h"
#include "nlm/training_run.h"

namespace dragoman::nlm {

struct NetworkTrainingOptions {
  uint32_t order = 5, dimension = 64;
  bool full = false, hidden_bias = true;
  uint32_t source_window = 0;
  double initial_deviation = 0;
  uint32_t noise_samples = 0;  // 0: maximum likelihood
  bool shared_noise = true;
  uint64_t direct_ngrams = 0;
  uint32_t epochs = 1, minibatch = 64, patience = 1;
  double learning_rate = 0.05, l2 = 0, dropout = 0, self_normalisation = 0;
  uint64_t seed = 1;
  uint32_t threads = 1;
  double checkpoint_seconds = 300;
};

// Throws ConfigError for what no network can have.
void check(const NetworkTrainingOptions& options);

class Trainer {
 public:
  // `classes` by word id, -1 for what is never predicted. Goes on from the checkpoint if there is one.
  Trainer(const TrainingText& text, std::vector<int32_t> classes, const NetworkTrainingOptions& options,
          Checkpoint checkpoint);

  // The course of it, for those who do the steps elsewhere.
  TrainingRun& run() { return run_; }
  // Until the end of the current epoch.
  EpochReport run_epoch(Monitor& monitor);
  // What held-out text says of the weights.
  HeldoutScores measure(Monitor& monitor) { return measured(monitor).all; }
  // Once training is over: the best weights, centred, as nlm.bin. Whoever has put that where it belongs removes the
  // checkpoint.
  void write(ModelDescription description, const std::string& path);

  uint64_t parameters() { return network_.parameters(); }

  // For comparisons with other programs.
  Network& network() { return network_; }
  const ClassedWords& words() const { return words_; }
  double step(const Minibatch& batch, double rate);
  MinibatchMaker& maker() { return maker_; }
  std::vector<uint32_t> drawn(const Minibatch& batch, bool words) const;
  const DirectFeatures* direct() const { return direct_ ? &*direct_ : nullptr; }

 private:
  struct Measured {
    HeldoutScores all;
    double class_mean, word_mean;  // of log Z, where there is more than one candidate
  };

  StepOptions step_options(uint64_t step, double rate) const;
  // What makes the minibatch that begins at a place of the shuffled text, for the team to do beside a step.
  NetworkStep::Besides making(const TextOrder& order, uint64_t place, Minibatch& batch);
  Measured measured(Monitor& monitor);
  void centre(Monitor& monitor);
  const DirectFeatures* add_direct();

  const TrainingText& text_;
  const NetworkTrainingOptions options_;
  ClassedWords words_;
  Network network_;
  std::optional<DirectFeatures> direct_;
  Team team_;
  NetworkStep step_;
  MinibatchMaker maker_;
  TrainingRun run_;
  std::vector<uint64_t> positions_;
  uint64_t next_place_ = 0;
};

}  // namespace dragoman::nlm
