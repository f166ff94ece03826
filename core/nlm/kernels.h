// The arithmetic of a query, one table per instruction set: sums of embeddings, the rectifier, products of a hidden
// layer with many rows, and the logarithm of a sum of exponentials.
//
// Weights of 8 bits meet hidden layers of 8 bits: a rectified layer has no sign, so it is stored as unsigned bytes with
// one scale, and products are sums of integers, the same bits on every level. Other precisions compute in floats; their
// sums are the same for every size of a batch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.h"
#include "nlm/interleaved_rows.h"
#include "nlm/matrix.h"
#include "nlm/read_ahead.h"

namespace dragoman::nlm {

// A hidden layer as the output weights want it: `codes` times `scale` for int8, else `values`.
struct Activation {
  const float* values;
  const uint8_t* codes;
  float scale;
};

// Float buffers that kernels read are padded to a multiple of this many.
inline constexpr uint32_t float_unit = 16;
inline constexpr uint32_t padded(uint32_t count) { return (count + float_unit - 1) / float_unit * float_unit; }

// A row of a matrix that is added to a sum, each value times a factor.
struct Addend {
  uint32_t row;
  const float* factors;
};

struct NlmKernels {
  // sum[i] = start[i] + factors[i] * row[i] + ..., for `stride` of them
  void (*add_rows)(const MatrixView& matrix, const Addend* addends, uint32_t count, const float* start, float* sum);
  // sum[i] += matrix[i] . vector for the rows of a square matrix of floats
  void (*add_product)(const float* matrix, uint32_t rows, uint32_t stride, const float* vector, float* sum);
  // max(0, x) in place; or, unless it is null, as codes instead, of which it returns the scale.
  float (*rectify)(float* values, uint32_t count, uint8_t* codes);
  // out[c * out_stride + r] = bias[r] + row (first + r) . activation c. Those of bytes ask for `ahead`: as much as they
  // read themselves, or as there is.
  void (*logits)(const MatrixView& matrix, uint32_t first, uint32_t count, const float* bias,
                 const Activation* contexts, uint32_t context_count, float* out, size_t out_stride, ReadAhead& ahead);
  // The same for all rows of interleaved ones, and those that fill up the last block.
  void (*interleaved_logits)(const InterleavedRows& rows, const Activation* contexts, uint32_t context_count,
                             float* out, size_t out_stride, ReadAhead& ahead);
  // ln sum exp(x[i]); writes no_logit into the padding.
  float (*log_sum_exp)(float* values, uint32_t count);
};

const NlmKernels& nlm_kernels(KernelLevel level);
const NlmKernels& nlm_kernels();

}  // namespace dragoman::nlm
