// Training: IBM 1 first, then iterations of the chosen model from its table (thesis section 2.2). Both directions are
// trained together, on one table and in one walk over the text. The agreement model is the hidden Markov model whose
// two directions are counted only as far as they agree (Liang et al. 2006).
#pragma once

#include "align/bitext.h"
#include "align/cooccurrence.h"
#include "align/inference.h"
#include "align/maximization.h"
#include "align/pair_table.h"
#include "align/symmetrize.h"
#include "base/monitor.h"

namespace dragoman::align {

struct TrainingOptions {
  ModelKind model = ModelKind::agreement;
  Smoothing smoothing = Smoothing::classes;
  // Of IBM 1; the first two are part of finding the pairs, so 2 is the least.
  size_t ibm1_iterations = 4;
  // Of the model that follows.
  size_t iterations = 4;
  // Pairs with smaller smoothed counts after two iterations are dropped.
  float min_count = 0.05f;
  size_t threads = 1;
  // Cells of a shard, 0 for what suits the text. Sums may differ in their last bits between values, so tests alone
  // change it.
  size_t shard_cells = 0;
  // Words of one side that can be told apart by their place; tests alone change it.
  uint64_t most_tokens = CooccurrenceOptions().most_tokens;

  // Throws ConfigError.
  void check() const;
};

// Sentences longer than this are aligned but not learned from.
inline constexpr size_t max_training_words = 200;
// A pair with more cells than this gets no links: its matrices would not fit into any sensible memory.
inline constexpr size_t max_cells = size_t{1} << 24;

struct TrainedModel {
  ModelParameters parameters;
  PairTable table;                      // where the text lies
  std::vector<double> log_likelihoods;  // before every iteration from the third on, both directions together
};

TrainedModel train(const Bitext& bitext, const TrainingOptions& options, Monitor& monitor);

// Links of all pairs of the text the model was trained on.
LinkTable align_bitext(const Bitext& bitext, const TrainedModel& model, Decoding decoding, Symmetrization how,
                       size_t threads, Monitor& monitor);

}  // namespace dragoman::align
