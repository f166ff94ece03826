#include "nlm/matrix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace dragoman::nlm {

uint32_t MatrixView::scales_per_row(Precision precision, uint32_t stride) {
  if (precision == Precision::int8) return 1;
  return precision == Precision::int4 ? stride / int4_group : 0;
}

MatrixView MatrixView::open(const Container& file, const std::string& name, Precision precision, uint32_t rows,
                            uint32_t stride) {
  MatrixView view;
  view.precision = precision;
  view.rows = rows;
  view.stride = stride;
  const auto bytes = file.bytes(name);
  if (bytes.size() != view.row_bytes() * rows) file.fail(name, "does not have the size that the header says");
  view.data = bytes.data();
  if (const uint64_t scales = uint64_t{scales_per_row(precision, stride)} * rows)
    view.scales = file.array<float>(name + ".scales", scales).data();
  return view;
}

void MatrixView::decode(uint32_t index, float* values) const {
  const std::byte* from = row(index);
  switch (precision) {
    case Precision::f32:
      std::memcpy(values, from, size_t{stride} * sizeof(float));
      return;
    case Precision::f16:
      for (uint32_t i = 0; i < stride; ++i) {
        uint16_t half;
        std::memcpy(&half, from + i * 2, sizeof half);
        values[i] = float_of(half);
      }
      return;
    case Precision::int8:
      for (uint32_t i = 0; i < stride; ++i)
        values[i] = scales[index] * static_cast<float>(static_cast<int8_t>(from[i]));
      return;
    case Precision::int4:
      // Within a group of 64, byte i holds value i in its low half and value i + 32 in its high half.
      for (uint32_t i = 0; i < stride; ++i) {
        const uint32_t group = i / int4_group, place = i % int4_group;
        const auto byte = static_cast<uint32_t>(from[group * 32 + place % 32]);
        const int code = static_cast<int>(place < 32 ? byte & 15 : byte >> 4) - 8;
        values[i] = scales[size_t{index} * (stride / int4_group) + group] * static_cast<float>(code);
      }
      return;
  }
}

void EncodedMatrix::add_to(ContainerWriter& writer, const std::string& name) const {
  writer.add(name, std::span<const std::byte>(data));
  if (!scales.empty()) writer.add(name + ".scales", scales);
}

EncodedMatrix encode_matrix(Precision precision, uint32_t rows, uint32_t stride,
                            const std::function<void(uint32_t row, float* values)>& fill) {
  EncodedMatrix matrix;
  const size_t row_bytes = MatrixView::row_bytes(precision, stride);
  matrix.data.resize(row_bytes * rows);
  matrix.scales.resize(size_t{MatrixView::scales_per_row(precision, stride)} * rows);
  std::vector<float> values(stride);
  auto largest = [&](uint32_t begin, uint32_t end) {
    float most = 0;
    for (uint32_t i = begin; i < end; ++i) most = std::max(most, std::fabs(values[i]));
    return most;
  };
  auto step = [](float value, float scale, int least, int most) {
    return scale > 0 ? std::clamp(static_cast<int>(std::lrint(value / scale)), least, most) : 0;
  };
  for (uint32_t row = 0; row < rows; ++row) {
    std::ranges::fill(values, 0.0f);
    fill(row, values.data());
    std::byte* to = matrix.data.data() + row_bytes * row;
    switch (precision) {
      case Precision::f32:
        std::memcpy(to, values.data(), row_bytes);
        break;
      case Precision::f16:
        for (uint32_t i = 0; i < stride; ++i) {
          const uint16_t half = half_of(values[i]);
          std::memcpy(to + i * 2, &half, sizeof half);
        }
        break;
      case Precision::int8: {
        const float scale = largest(0, stride) / 127;
        matrix.scales[row] = scale;
        for (uint32_t i = 0; i < stride; ++i) to[i] = static_cast<std::byte>(step(values[i], scale, -127, 127));
        break;
      }
      case Precision::int4:
        for (uint32_t group = 0; group < stride / int4_group; ++group) {
          const uint32_t begin = group * int4_group;
          const float scale = largest(begin, begin + int4_group) / 7;
          matrix.scales[size_t{row} * (stride / int4_group) + group] = scale;
          for (uint32_t i = 0; i < 32; ++i) {
            const int low = step(values[begin + i], scale, -7, 7) + 8;
            const int high = step(values[begin + i + 32], scale, -7, 7) + 8;
            to[group * 32 + i] = static_cast<std::byte>(low | high << 4);
          }
        }
        break;
    }
  }
  return matrix;
}

uint16_t half_of(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const float size = std::min(std::fabs(value), 65504.0f);
  // Numbers below the normal halves become zero: they are nothing beside other weights, and slow on some processors.
  if (size < 0x1p-14f) return sign;
  // Scaled so that the exponent of a half is that of the float; adding half a step and cutting rounds, ties to even.
  const uint32_t scaled = std::bit_cast<uint32_t>(size * 0x1p-112f);
  return sign | static_cast<uint16_t>((scaled + 0xfff + (scaled >> 13 & 1)) >> 13);
}

float float_of(uint16_t half) {
  const float size = std::bit_cast<float>(uint32_t{half & 0x7fffu} << 13) * 0x1p112f;
  return half & 0x8000 ? -size : size;
}

}  // namespace dragoman::nlm
