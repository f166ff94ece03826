#include "nlm/interleaved_rows.h"

#include <algorithm>

namespace dragoman::nlm {

InterleavedRows InterleavedRows::of(const MatrixView& matrix, const float* bias) {
  InterleavedRows rows;
  rows.blocks = (matrix.rows + interleaved - 1) / interleaved;
  rows.lines_per_block = matrix.stride / interleaved_values;
  rows.lines.resize(size_t{rows.blocks} * rows.lines_per_block);
  rows.scales.resize(size_t{rows.blocks} * interleaved);
  rows.bias.resize(size_t{rows.blocks} * interleaved, no_logit);
  std::copy_n(matrix.scales, matrix.rows, rows.scales.begin());
  std::copy_n(bias, matrix.rows, rows.bias.begin());
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    const auto* from = reinterpret_cast<const int8_t*>(matrix.row(row));
    InterleavedRows::Line* block = rows.lines.data() + size_t{row / interleaved} * rows.lines_per_block;
    for (uint32_t i = 0; i < matrix.stride; ++i)
      block[i / interleaved_values].values[row % interleaved * interleaved_values + i % interleaved_values] = from[i];
  }
  return rows;
}

}  // namespace dragoman::nlm
