#include "nlm/interleaved_rows.h"

#include <algorithm>

namespace dragoman::nlm {

InterleavedRows InterleavedRows::of(const MatrixView& matrix, const float* bias) {
  InterleavedRows made;
  made.blocks = (matrix.rows + interleaved - 1) / interleaved;
  made.lines_per_block = matrix.stride / interleaved_values;
  made.lines.resize(size_t{made.blocks} * made.lines_per_block);
  made.scales.resize(size_t{made.blocks} * interleaved);
  made.bias.resize(size_t{made.blocks} * interleaved, no_logit);
  std::copy_n(matrix.scales, matrix.rows, made.scales.begin());
  std::copy_n(bias, matrix.rows, made.bias.begin());
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    const auto* from = reinterpret_cast<const int8_t*>(matrix.row(row));
    InterleavedRows::Line* block = made.lines.data() + size_t{row / interleaved} * made.lines_per_block;
    for (uint32_t i = 0; i < matrix.stride; ++i)
      block[i / interleaved_values].values[row % interleaved * interleaved_values + i % interleaved_values] = from[i];
  }
  return made;
}

}  // namespace dragoman::nlm
