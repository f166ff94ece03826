// The loops of a query, one table per instruction set: they count and find bits.
#pragma once

#include "base/cpu.h"
#include "lm/model_view.h"
#include "lm/state.h"

namespace dragoman::lm {

struct LmKernels {
  // Scores a word after a context and makes the context that follows. `out` must not be `in`.
  WordScore (*score)(const ModelView& model, const State& in, WordId word, State& out);
  // Continues to the left: a node of `length` words and the context that turned up before them. Writes the steps of
  // `out` from `length` on, sets its length, and returns the change of the last word's score.
  float (*extend_left)(const ModelView& model, uint32_t node, uint32_t length, const State& context, State& out,
                       WordScore& word_score);
  // Whether some word to the left makes a longer n-gram of this one.
  bool (*extends_left)(const ModelView& model, uint32_t node, uint32_t length);
};

const LmKernels& lm_kernels(KernelLevel level);
const LmKernels& lm_kernels();

}  // namespace dragoman::lm
