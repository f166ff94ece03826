// The inner loops of the hidden Markov model, one table per instruction set. Vectors of states are padded with zeros
// on both sides, as wide as the longest jump that has a probability of its own, so that no loop has edge cases.
#pragma once

#include <cstddef>

#include "base/cpu.h"

namespace dragoman::align {

// Jumps from -jump_reach to +jump_reach words have a probability each; all longer ones share one.
inline constexpr size_t jump_reach = 12;
inline constexpr size_t jump_taps = 2 * jump_reach + 1;
// Zeros that must surround a vector of states; the loops work on whole blocks, so the room on the right is larger.
inline constexpr size_t state_block = 16;
inline constexpr size_t pad_left = jump_reach;
inline constexpr size_t pad_right = jump_reach + state_block;

struct AlignKernels {
  // out[i] = constant + sum over d of taps[reach + d] * in[i - d], for i in [0, size).
  void (*spread)(const float* in, const float* taps, float constant, float* out, size_t size);
  // out[i] = constant + sum over d of taps[reach + d] * in[i + d].
  void (*collect)(const float* in, const float* taps, float constant, float* out, size_t size);
  // sums[reach + d] += sum over i of from[i] * to[i + d], each sum spread over the state_block lanes of its row.
  void (*correlate)(const float* from, const float* to, float* sums, size_t size);
};

const AlignKernels& align_kernels(KernelLevel level);
// For this processor.
const AlignKernels& align_kernels();

}  // namespace dragoman::align
