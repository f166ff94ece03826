// The arithmetic of a judge beside its products with matrices, one table per instruction set. Sizes are multiples of
// 32, and sums have one order that depends on them alone.
#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace dragoman::judge {

// What a query looks at: rows of keys and of values, one behind the other in each of them.
struct Attended {
  const float* const* keys;
  const float* const* values;
  uint32_t count;
};

struct JudgeKernels {
  // out = (x - mean) / deviation * weight + bias
  void (*normalise)(const float* values, const float* weight, const float* bias, float* out, uint32_t size);
  // Codes times the scale that is returned are the values plus 128 times that scale.
  float (*encode)(const float* values, uint8_t* codes, uint32_t size);
  // values -= scale * corrections
  void (*correct)(float* values, const float* corrections, float scale, uint32_t size);
  void (*add)(float* sum, const float* values, uint32_t size);
  void (*rectify)(float* values, uint32_t size);
  // For each head: the values, weighted by the softmax of query . key / sqrt(size). `weights` has room for the count,
  // filled up to a multiple of 16.
  void (*attend)(const float* query, const Attended& to, uint32_t heads, uint32_t head_size, float* weights,
                 float* out);
};

const JudgeKernels& judge_kernels(KernelLevel level);
const JudgeKernels& judge_kernels();

}  // namespace dragoman::judge
