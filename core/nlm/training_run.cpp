#include "nlm/training_run.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace dragoman::nlm {
namespace {

constexpr double last_rate = 0.05;  // of the learning rate, at the end

double seconds_between(auto from, auto to) { return std::chrono::duration<double>(to - from).count(); }

}  // namespace

TrainingRun::TrainingRun(const TrainingText& text, const TrainingSchedule& schedule, Checkpoint checkpoint,
                         LearnedTables tables)
    : text_(text),
      schedule_(schedule),
      checkpoint_(std::move(checkpoint)),
      tables_(std::move(tables)),
      tokens_(text.train().tokens()) {
  if (schedule_.minibatch < 1) throw ConfigError("minibatch", "must be at least 1");
  started_ = saved_ = Clock::now();
  if (!checkpoint_.exists()) return;
  checkpoint_.load(state_, tables_);
  const TrainingProgress& now = state_.progress;
  if (now.epoch > schedule_.epochs || now.step > steps() || now.place > text.train().ids.size() ||
      now.best_epoch >= static_cast<int64_t>(now.epoch))
    throw checkpoint_.foreign("no checkpoint of training");
  resumed_ = true;
}

uint32_t TrainingRun::steps() const {
  return static_cast<uint32_t>(std::max<uint64_t>(1, (tokens_ + schedule_.minibatch - 1) / schedule_.minibatch));
}

bool TrainingRun::finished() const {
  const TrainingProgress& now = state_.progress;
  return now.epoch >= schedule_.epochs || static_cast<int64_t>(now.epoch) - now.best_epoch > schedule_.patience;
}

TextOrder TrainingRun::begin_epoch() {
  started_ = saved_ = Clock::now();
  return TextOrder(text().ids.size(), mix(schedule_.seed) + state_.progress.epoch);
}

uint64_t TrainingRun::choose(const TextOrder& order, uint64_t place, std::vector<uint64_t>& positions) const {
  positions.clear();
  for (; place < order.size() && positions.size() < schedule_.minibatch; ++place) {
    const uint64_t position = order[place];
    if (text().is_predicted(position)) positions.push_back(position);
  }
  return place;
}

double TrainingRun::rate() const {
  const double planned = static_cast<double>(schedule_.epochs) * steps();
  return schedule_.learning_rate * std::max(last_rate, 1 - static_cast<double>(number()) / planned);
}

void TrainingRun::advance(double loss, uint64_t place) {
  TrainingProgress& now = state_.progress;
  now.loss += loss;
  ++now.step;
  now.place = place;
  require_finite(now.loss);
}

bool TrainingRun::is_due() const {
  return !epoch_is_done() && seconds_between(saved_, Clock::now()) > schedule_.checkpoint_seconds;
}

void TrainingRun::stop_clock() {
  const auto now = Clock::now();
  state_.progress.seconds += seconds_between(started_, now);
  started_ = now;
}

void TrainingRun::save() {
  stop_clock();
  if (keeps_) checkpoint_.save(state_, tables_);
  started_ = saved_ = Clock::now();
}

EpochReport TrainingRun::finish_epoch(const HeldoutScores& heldout) {
  TrainingProgress& now = state_.progress;
  require_finite(heldout.perplexity);
  const EpochReport row{now.epoch + 1,
                        0,
                        now.loss / static_cast<double>(std::max<uint64_t>(1, tokens_)),
                        heldout.perplexity,
                        heldout.normaliser_mean,
                        heldout.normaliser_deviation,
                        now.seconds};
  state_.history.push_back(row);
  if (heldout.perplexity < now.best_perplexity) {
    now.best_perplexity = heldout.perplexity;
    now.best_epoch = now.epoch;
    if (keeps_) checkpoint_.save_best(now.epoch, tables_);
  }
  ++now.epoch;
  now.step = 0;
  now.place = 0;
  now.loss = 0;
  if (keeps_) checkpoint_.save(state_, tables_);
  return row;
}

void TrainingRun::end_epoch() { stop_clock(); }

void TrainingRun::load_best() {
  const TrainingProgress& now = state_.progress;
  if (now.best_epoch >= 0 && now.best_epoch + 1 != now.epoch)
    checkpoint_.load_best(static_cast<uint32_t>(now.best_epoch), tables_);
}

void TrainingRun::require_finite(double number) const {
  if (std::isfinite(number)) return;
  throw ConfigError("learning_rate",
                    "training diverged: the loss is no longer a number; lower --learning-rate or --self-normalisation,"
                    " or raise --minibatch; the checkpoint before this is kept");
}

}  // namespace dragoman::nlm
