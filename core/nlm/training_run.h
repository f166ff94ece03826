// The course of training, whoever does its steps: minibatches of the shuffled text, a rate that falls in a straight
// line to a twentieth, what was measured after each epoch, early stopping, checkpoints, and the weights of the best
// epoch.
//
// So a run that the core began goes on with PyTorch, and the other way round: text, order, state and files are the
// same.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "nlm/text_order.h"
#include "nlm/training_state.h"
#include "nlm/training_text.h"

namespace dragoman::nlm {

struct TrainingSchedule {
  uint32_t epochs = 1, minibatch = 64, patience = 1;
  double learning_rate = 0.05;
  uint64_t seed = 1;
  double checkpoint_seconds = 300;
};

// Of held-out text: perplexity, and log Z of all that a decoder may leave out.
struct HeldoutScores {
  double perplexity, normaliser_mean, normaliser_deviation;
};

class TrainingRun {
 public:
  // Goes on from the checkpoint if there is one. The tables stay where they are.
  TrainingRun(const TrainingText& text, const TrainingSchedule& schedule, Checkpoint checkpoint, LearnedTables tables);

  const TrainingState& state() const { return state_; }
  const LearnedTables& tables() const { return tables_; }
  const IdStream& text() const { return text_.train(); }
  uint64_t tokens() const { return tokens_; }
  uint32_t steps() const;  // of an epoch
  bool resumed() const { return resumed_; }
  // Of several processes that train together one keeps files.
  void keep_nothing() { keeps_ = false; }
  bool finished() const;

  // The order of the text in the present epoch; steps are timed from here.
  TextOrder begin_epoch();
  bool epoch_is_done() const { return state_.progress.step >= steps(); }
  // Positions of the minibatch that begins at a place of the shuffled text; returns where the next one does.
  uint64_t choose(const TextOrder& order, uint64_t place, std::vector<uint64_t>& positions) const;
  // Of the step that is next: its number, over all epochs, and its rate.
  uint64_t number() const { return uint64_t{state_.progress.epoch} * steps() + state_.progress.step; }
  double rate() const;
  // A step is done, with such a summed loss, and the next begins at a place. ConfigError if training diverges.
  void advance(double loss, uint64_t place);
  // Whether it is time for a checkpoint within the epoch.
  bool is_due() const;
  void save();
  // The steps of an epoch are done, and time is taken no longer; then it has been measured, and there is a checkpoint.
  void end_epoch();
  EpochReport finish_epoch(const HeldoutScores& heldout);
  // Puts the weights of the best epoch into the tables.
  void load_best();

 private:
  using Clock = std::chrono::steady_clock;

  void stop_clock();
  void require_finite(double number) const;

  const TrainingText& text_;
  const TrainingSchedule schedule_;
  const Checkpoint checkpoint_;
  const LearnedTables tables_;
  const uint64_t tokens_;
  TrainingState state_;
  bool resumed_ = false, keeps_ = true;
  Clock::time_point started_, saved_;
};

}  // namespace dragoman::nlm
