// Training: IBM 1 first, then iterations of the chosen model from its table (thesis section 2.2). Both directions are
// trained together, on one table and in one walk over the text. The agreement model is the hidden Markov model whose
// two directions are counted only as far as they agree (Liang et al. 2006).
//
// Whoever drives it step by step has the E-step of the shards done here on threads, or elsewhere, and adds what comes
// of it.
#pragma once

#include "align/cooccurrence.h"
#include "align/maximization.h"
#include "align/statistics.h"
#include "align/trained_model.h"
#include "align/training_options.h"

namespace dragoman::align {

class Training {
 public:
  // Finds the word pairs, which is the first two iterations of IBM 1.
  Training(const Bitext& bitext, const TrainingOptions& options, Monitor& monitor);

  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  size_t steps() const { return steps_; }
  // Whether no step is left.
  bool done() const { return step_ == steps_; }
  size_t shards() const { return sweep_.shards(); }

  // The E-step of all shards in this process.
  void sum(Monitor& monitor);
  // The same elsewhere: what is needed of the model, of the text, and what comes of it (work_on_shards).
  std::vector<std::byte> pairs() const;
  std::vector<std::byte> step() const;
  std::vector<std::byte> text(size_t first, size_t last) const;
  void add(const Container& statistics) { statistics_.add(statistics); }
  // The M-step, when all shards are summed; throws InputError if they are not.
  void finish_step(Monitor& monitor);

  // When no step is left.
  TrainedModel finish();

 private:
  Training(const Bitext& bitext, const TrainingOptions& options, Cooccurrences cooccurrences, Monitor& monitor);
  void begin_step();

  const Bitext& bitext_;
  TrainingOptions options_;
  size_t step_ = 0, steps_;
  Maximizer maximizer_;
  Sweep sweep_;
  Statistics statistics_;
  TrainedModel model_;
};

// All of it in this process.
TrainedModel train(const Bitext& bitext, const TrainingOptions& options, Monitor& monitor);

// The E-step of some shards of a training elsewhere, as its messages say: what to add to it.
std::vector<std::byte> work_on_shards(const Container& pairs, const Container& step, const Container& text,
                                      size_t threads, Monitor& monitor);

}  // namespace dragoman::align
