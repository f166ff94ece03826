// How an aligner is trained.
#pragma once

#include "align/cooccurrence.h"
#include "align/inference.h"
#include "align/maximization.h"

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
}  // namespace dragoman::align
