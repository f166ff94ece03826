// The arithmetic of training, one table per instruction set.
//
// All products of matrices are one kernel: rows of the left matrix, one number at a time, times stretches of rows of
// the right one, summed in registers. Logits are kept with a row for each word and a column for each context, so that
// the contexts lie side by side in a register: normalising needs no sum within one, however few words there are.
//
// Every sum has one order, which depends on the sizes alone and not on who computes it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.h"
#include "nlm/kernels.h"

namespace dragoman::nlm {

// Element (i, k) is values[i * row + k * step]: a matrix or its transpose.
struct LeftMatrix {
  const float* values;
  size_t row, step;

  LeftMatrix from_row(size_t first) const { return {values + first * row, row, step}; }
};

// A matrix of padded rows.
struct RightMatrix {
  const float* values;
  size_t stride;
};

// Logits without their biases, a row for each candidate and a column for each context.
struct LogitBlock {
  float* values;
  size_t stride;
  uint32_t candidates, contexts;
  const float* bias;         // by candidate
  const uint32_t* observed;  // by context: which candidate came
};

// What is wanted of a block: -log P + penalty * log^2 Z, and `scale` times its slope.
struct Objective {
  float penalty, scale;
};

// By context: log P of the observed candidate, and log Z.
struct BlockScores {
  float *log_prob, *log_normaliser;
};

// A row that is added to a sum, each value times a factor.
struct Product {
  const float *values, *factors;
};

// Rows of a table that are picked, each with a factor of its own.
struct ScaledRows {
  RightMatrix table;
  const uint32_t* chosen;
  const float* factors;
  uint32_t count;
};

struct AdaGradStep {
  float rate, pull;
};

struct TrainingKernels {
  // product = left * right, or is added to; `columns` is a multiple of float_unit.
  void (*multiply)(const LeftMatrix& left, const RightMatrix& right, float* product, size_t product_stride,
                   uint32_t rows, uint32_t columns, uint32_t depth, bool add);
  // to[c * to_stride + r] = from[r * from_stride + c], and zeros for r up to padded(rows).
  void (*transpose)(const float* from, size_t from_stride, uint32_t rows, uint32_t columns, float* to,
                    size_t to_stride);
  // Replaces logits by slopes, with zeros in columns beyond `contexts`.
  void (*likelihood)(const LogitBlock& block, const Objective& objective, const BlockScores& scores);
  // Noise contrastive estimation of a block: log_prob becomes the log of the chance of telling the observed candidate
  // from noise and every candidate, `times` over, from data. Biases are those less log(k q). Logits become slopes.
  void (*contrast)(const LogitBlock& block, const float* times, float scale, float* log_prob);
  // losses = log(1 + e^x), and values their slopes.
  void (*logistic)(float* values, float* losses, uint32_t size);
  float (*sum)(const float* values, uint32_t count);
  // sum = start + values * factors + ...
  void (*add_products)(const float* start, const Product* products, uint32_t count, float* sum, uint32_t size);
  // sum = the chosen rows, or is added to.
  void (*add_rows)(const RightMatrix& rows, const uint32_t* chosen, uint32_t count, float* sum, uint32_t size,
                   bool add);
  // Products of a vector with the chosen rows.
  void (*dots)(const RightMatrix& rows, const uint32_t* chosen, uint32_t count, const float* vector, float* products,
               uint32_t size);
  // sum = the chosen rows times their factors, or is added to.
  void (*add_scaled_rows)(const ScaledRows& rows, float* sum, uint32_t size, bool add);
  // max(0, x), times `kept` unless it is null.
  void (*rectify)(float* values, const float* kept, uint32_t size);
  // The way back through the rectifier: 0 where its output is, else times `factor`.
  void (*unrectify)(const float* output, float factor, float* gradient, uint32_t size);
  // Changes weights and squares, for a gradient to which the pull is added.
  void (*adagrad)(const AdaGradStep& step, const float* gradient, float* weights, float* squares, uint32_t size);
};

const TrainingKernels& training_kernels(KernelLevel level);
const TrainingKernels& training_kernels();

}  // namespace dragoman::nlm
