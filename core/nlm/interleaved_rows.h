// Rows of signed bytes, sixteen side by side: a line of memory holds four neighbouring values of each of them. One
// instruction then multiplies all sixteen rows by four values of a hidden layer, and every sum ends in a place of its
// own, where rows one after the other leave sums spread over a register that cost more to collect than to make.
// Made of the class weights when a model is opened: all of them are wanted for every new context, so that they stay in
// the cache nearest to the processor; single rows are read from the file.
#pragma once

#include <cstdint>
#include <vector>

#include "nlm/matrix.h"

namespace dragoman::nlm {

// What stands in the padding of logits.
inline constexpr float no_logit = -1e30f;
inline constexpr uint32_t interleaved = 16;        // rows side by side
inline constexpr uint32_t interleaved_values = 4;  // of each row in a line

struct InterleavedRows {
  struct alignas(64) Line {
    int8_t values[interleaved * interleaved_values];
  };
  uint32_t blocks = 0;  // of sixteen rows; the last is filled up with rows whose logit is no_logit
  uint32_t lines_per_block = 0;
  std::vector<Line> lines;
  std::vector<float> scales, bias;

  // Of a matrix of int8.
  static InterleavedRows of(const MatrixView& matrix, const float* bias);
};

}  // namespace dragoman::nlm
