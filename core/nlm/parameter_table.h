// Weights that are learned, and what AdaGrad (Duchi et al. 2011) remembers of each: the sum of its squared gradients.
// Rows are padded with zeros, which stay zeros.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nlm/kernels.h"

namespace dragoman::nlm {

struct ParameterTable {
  uint32_t rows = 0, width = 0, stride = 0;
  std::vector<float> weights, squares;

  ParameterTable() = default;
  ParameterTable(uint32_t row_count, uint32_t row_width)
      : rows(row_count), width(row_width), stride(padded(row_width)) {
    weights.resize(size_t{rows} * stride);
    squares.resize(weights.size());
  }

  bool empty() const { return rows == 0; }
  float* row(size_t number) { return weights.data() + number * stride; }
  const float* row(size_t number) const { return weights.data() + number * stride; }
  float* squares_of(size_t number) { return squares.data() + number * stride; }
};

}  // namespace dragoman::nlm
