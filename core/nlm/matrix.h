// A matrix of weights in one of four precisions, by rows. f16 is IEEE half precision; int8 has one scale a row; int4
// packs two values a byte and has one scale per 64 values, because with 16 steps a single large value would drown a
// whole row. Kernels read the bytes; here they are written, and read back slowly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/prefetch.h"
#include "nlm/format.h"

namespace dragoman::nlm {

inline constexpr uint32_t int4_group = 64;

// Plain pointers into a mapped file, checked when it was opened.
struct MatrixView {
  const std::byte* data = nullptr;
  const float* scales = nullptr;  // by row (int8), by row and group (int4), else none
  Precision precision = Precision::f32;
  uint32_t rows = 0;
  uint32_t stride = 0;

  const std::byte* row(uint32_t index) const { return data + row_bytes() * index; }
  size_t row_bytes() const { return row_bytes(precision, stride); }
  // Rows far apart come from far away; asked for early, they arrive together.
  void prefetch(uint32_t index, uint32_t count = 1) const {
    const std::byte* from = row(index);
    for (size_t at = 0; at < row_bytes() * count; at += 64) dragoman::prefetch(from + at);
    if (precision == Precision::int8) dragoman::prefetch(scales + index);
  }
  static constexpr size_t row_bytes(Precision precision, uint32_t stride) {
    return precision == Precision::f32    ? size_t{stride} * 4
           : precision == Precision::f16  ? size_t{stride} * 2
           : precision == Precision::int8 ? size_t{stride}
                                          : size_t{stride} / 2;
  }
  static uint32_t scales_per_row(Precision precision, uint32_t stride);

  // A section and its scales; throws FormatError unless they have the right sizes.
  static MatrixView open(const Container& file, const std::string& name, Precision precision, uint32_t rows,
                         uint32_t stride);
  // One row as floats, `stride` of them.
  void decode(uint32_t row, float* values) const;
};

struct EncodedMatrix {
  std::vector<std::byte> data;
  std::vector<float> scales;

  // The bytes stay here until writer.write().
  void add_to(ContainerWriter& writer, const std::string& name) const;
};

// `fill` writes the values of a row into `stride` zeros.
EncodedMatrix encode_matrix(Precision precision, uint32_t rows, uint32_t stride,
                            const std::function<void(uint32_t row, float* values)>& fill);

uint16_t half_of(float value);
float float_of(uint16_t half);

}  // namespace dragoman::nlm
