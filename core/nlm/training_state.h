// How far a run of training is, and its file, so that a run that was killed goes on where it was and ends with the same
// model: everything random is drawn from the seed, the epoch and the step, so the state is weights, AdaGrad's squares
// and a few numbers. A checkpoint names the text and options that it belongs to and is refused by others.
//
// The weights of the best epoch lie in a file of their own beside it, because memory need not hold them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "nlm/parameter_table.h"

namespace dragoman::nlm {

// One row of a training report; log Z is that of all that a decoder may leave out.
struct EpochReport {
  uint32_t epoch;  // from 1
  uint32_t reserved;
  double training_loss, heldout_perplexity, log_normaliser_mean, log_normaliser_deviation;
  double seconds;  // all since the beginning
};

struct TrainingProgress {
  uint32_t epoch = 0;
  uint32_t step = 0;   // steps of the epoch that are done
  uint64_t place = 0;  // in the shuffled text
  double loss = 0;     // of those steps
  double seconds = 0;
  double best_perplexity = std::numeric_limits<double>::infinity();
  int64_t best_epoch = -1;  // from 0
};

// What is learned, by the names that it has in files.
using LearnedTables = std::vector<std::pair<std::string, ParameterTable*>>;

struct TrainingState {
  TrainingProgress progress;
  std::vector<EpochReport> history;
};

class Checkpoint {
 public:
  // `owner` stands for the text and the options.
  Checkpoint(std::string path, std::string owner) : path_(std::move(path)), owner_(std::move(owner)) {}

  bool exists() const;
  void save(const TrainingState& state, const LearnedTables& tables) const;
  // Throws ConfigError for a file that is none of this run's.
  void load(TrainingState& state, const LearnedTables& tables) const;
  void save_best(uint32_t epoch, const LearnedTables& tables) const;
  void load_best(uint32_t epoch, const LearnedTables& tables) const;
  void remove() const;
  // What to say of a file that is something else.
  ConfigError foreign(const std::string& what) const;

 private:
  std::string best_path() const { return path_ + ".best"; }

  std::string path_, owner_;
};

}  // namespace dragoman::nlm
