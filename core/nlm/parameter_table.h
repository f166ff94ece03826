// Weights that are learned, and what AdaGrad (Duchi et al. 2011) remembers of each: the sum of its squared gradients.
// Rows are padded with zeros, which stay zeros.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/line_vector.h"
#include "nlm/training_kernels.h"

namespace dragoman::nlm {

struct ParameterTable {
  uint32_t rows = 0, width = 0, stride = 0;
  LineVector<float> weights, squares;

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

  // Changes some weights of a table of one row. They need not begin where registers do, and others, which another
  // thread may be changing, stand behind them.
  void change(size_t first, std::span<const float> gradient, const AdaGradStep& step) {
    constexpr uint32_t at_once = 4 * float_unit;
    for (size_t done = 0; done < gradient.size(); done += at_once) {
      const auto count = static_cast<uint32_t>(std::min<size_t>(at_once, gradient.size() - done));
      float slopes[at_once] = {}, some_weights[at_once] = {}, some_squares[at_once] = {};
      std::copy_n(gradient.data() + done, count, slopes);
      std::copy_n(weights.data() + first + done, count, some_weights);
      std::copy_n(squares.data() + first + done, count, some_squares);
      training_kernels().adagrad(step, slopes, some_weights, some_squares, padded(count));
      std::copy_n(some_weights, count, weights.data() + first + done);
      std::copy_n(some_squares, count, squares.data() + first + done);
    }
  }
};

}  // namespace dragoman::nlm
