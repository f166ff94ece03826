#include "nlm/kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace dragoman::DRAGOMAN_KERNELS {
namespace {

using namespace nlm;

#include "nlm/float_lanes.inc"

// Rows of weights in one precision, `width` values at a time.
struct FloatRow {
  const float* from;
  explicit FloatRow(const std::byte* row) : from(reinterpret_cast<const float*>(row)) {}
  Lanes at(uint32_t i) const { return Lanes::load(from + i); }
};
struct HalfRow {
  const uint16_t* from;
  explicit HalfRow(const std::byte* row) : from(reinterpret_cast<const uint16_t*>(row)) {}
  Lanes at(uint32_t i) const { return Lanes::load_half(from + i); }
};
struct ByteRow {
  const int8_t* from;
  explicit ByteRow(const std::byte* row) : from(reinterpret_cast<const int8_t*>(row)) {}
  Lanes at(uint32_t i) const { return Lanes::load_bytes(from + i); }
};

template <class Row>
void add_scaled(const std::byte* data, float scale, const float* factors, uint32_t count, float* sum) {
  const Row row(data);
  const Lanes by = Lanes::all(scale);
  for (uint32_t i = 0; i < count; i += Lanes::width)
    Lanes::load(sum + i).plus_product(Lanes::load(factors + i) * by, row.at(i)).store(sum + i);
}

void add_row(const MatrixView& matrix, uint32_t index, const float* factors, float* sum) {
  const std::byte* row = matrix.row(index);
  switch (matrix.precision) {
    case Precision::f32:
      return add_scaled<FloatRow>(row, 1, factors, matrix.stride, sum);
    case Precision::f16:
      return add_scaled<HalfRow>(row, 1, factors, matrix.stride, sum);
    case Precision::int8:
      return add_scaled<ByteRow>(row, matrix.scales[index], factors, matrix.stride, sum);
    case Precision::int4: {
      const uint32_t groups = matrix.stride / int4_group;
      for (uint32_t group = 0; group < groups; ++group) {
        int8_t codes[int4_group];
        for (uint32_t i = 0; i < 32; ++i) {
          const auto byte = static_cast<uint8_t>(row[group * 32 + i]);
          codes[i] = static_cast<int8_t>((byte & 15) - 8);
          codes[i + 32] = static_cast<int8_t>((byte >> 4) - 8);
        }
        const uint32_t at = group * int4_group;
        add_scaled<ByteRow>(reinterpret_cast<const std::byte*>(codes), matrix.scales[index * groups + group],
                            factors + at, int4_group, sum + at);
      }
      return;
    }
  }
}

// Rows that are worked on together: enough independent sums to keep the multipliers busy.
constexpr uint32_t row_block = 4;

template <class Row>
float dot(const std::byte* data, const float* values, uint32_t stride) {
  const Row row(data);
  // Two sums, whatever the batch, so that a product is the same bits alone and among others.
  Lanes even = Lanes::zero(), odd = Lanes::zero();
  for (uint32_t i = 0; i < stride; i += 2 * Lanes::width) {
    even = even.plus_product(row.at(i), Lanes::load(values + i));
    odd = odd.plus_product(row.at(i + Lanes::width), Lanes::load(values + i + Lanes::width));
  }
  return (even + odd).sum();
}

void add_product(const float* matrix, uint32_t rows, uint32_t stride, const float* vector, float* sum) {
  for (uint32_t row = 0; row < rows; ++row)
    sum[row] += dot<FloatRow>(reinterpret_cast<const std::byte*>(matrix + size_t{row} * stride), vector, stride);
}

float rectify(float* values, uint32_t count, uint8_t* codes) {
  Lanes most = Lanes::zero();
  for (uint32_t i = 0; i < count; i += Lanes::width) {
    const Lanes positive = Lanes::load(values + i).max(Lanes::zero());
    positive.store(values + i);
    most = most.max(positive);
  }
  const float largest = most.largest();
  // Also for what is no number: damaged weights give wrong scores and nothing worse.
  if (!codes) return 1;
  if (!(largest > 0) || !(largest < 1e30f)) {
    std::memset(codes, 0, count);
    return 0;
  }
  const Lanes by = Lanes::all(255 / largest);
  for (uint32_t i = 0; i < count; i += Lanes::width) (Lanes::load(values + i) * by).store_codes(codes + i);
  return largest / 255;
}

template <class Row>
void float_logits(const MatrixView& matrix, uint32_t first, uint32_t count, const float* bias,
                  const Activation* contexts, uint32_t context_count, float* out, size_t out_stride) {
  for (uint32_t r = 0; r < count; ++r)
    for (uint32_t c = 0; c < context_count; ++c)
      out[c * out_stride + r] = bias[r] + dot<Row>(matrix.row(first + r), contexts[c].values, matrix.stride);
}

#include "nlm/byte_products.inc"

void byte_logits(const MatrixView& matrix, uint32_t first, uint32_t count, const float* bias,
                 const Activation* contexts, uint32_t context_count, float* out, size_t out_stride) {
  const float* scales = matrix.scales + first;
  uint32_t r = 0;
  for (; r + row_block <= count; r += row_block) {
    const int8_t* rows = reinterpret_cast<const int8_t*>(matrix.row(first + r));
    for (uint32_t c = 0; c < context_count;) {
      const uint32_t many = std::min(context_block, context_count - c);
      const Block block{rows, matrix.stride, scales + r, bias + r, contexts + c, out + c * out_stride + r, out_stride};
      if (many == 4)
        byte_products<4>(block);
      else if (many == 3)
        byte_products<3>(block);
      else if (many == 2)
        byte_products<2>(block);
      else
        byte_products<1>(block);
      c += many;
    }
  }
  for (; r < count; ++r)
    for (uint32_t c = 0; c < context_count; ++c) {
      const auto* row = reinterpret_cast<const int8_t*>(matrix.row(first + r));
      out[c * out_stride + r] =
          finished(bias[r], byte_product(row, matrix.stride, contexts[c].codes), scales[r] * contexts[c].scale);
    }
}

void logits(const MatrixView& matrix, uint32_t first, uint32_t count, const float* bias, const Activation* contexts,
            uint32_t context_count, float* out, size_t out_stride) {
  switch (matrix.precision) {
    case Precision::f32:
      return float_logits<FloatRow>(matrix, first, count, bias, contexts, context_count, out, out_stride);
    case Precision::f16:
      return float_logits<HalfRow>(matrix, first, count, bias, contexts, context_count, out, out_stride);
    default:
      return byte_logits(matrix, first, count, bias, contexts, context_count, out, out_stride);
  }
}

// e^x as 2^whole * e^rest with |rest| <= ln 2 / 2; the polynomial's error is below 2e-7 of the result.
Lanes exponential(Lanes x) {
  x = x.max(Lanes::all(-87));
  const Lanes whole = (x * Lanes::all(1.44269504f)).rounded();
  Lanes rest = x - whole * Lanes::all(0.693359375f);
  rest = rest.plus_product(whole, Lanes::all(2.12194440e-4f));
  Lanes sum = Lanes::all(1.9875691500e-4f);
  for (float next : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f})
    sum = Lanes::all(next).plus_product(sum, rest);
  const Lanes fraction = (Lanes::all(1) + rest).plus_product(sum, rest * rest);
  return fraction * whole.power_of_two();
}

float log_sum_exp(float* values, uint32_t count) {
  const uint32_t all = padded(count);
  for (uint32_t i = count; i < all; ++i) values[i] = no_logit;
  Lanes most = Lanes::load(values);
  for (uint32_t i = Lanes::width; i < all; i += Lanes::width) most = most.max(Lanes::load(values + i));
  const float largest = most.largest();
  if (!(std::fabs(largest) < 1e30f)) return 0;
  const Lanes shift = Lanes::all(largest);
  Lanes sum = Lanes::zero();
  for (uint32_t i = 0; i < all; i += Lanes::width) sum = sum + exponential(Lanes::load(values + i) - shift);
  return largest + std::log(sum.sum());
}

}  // namespace

extern const NlmKernels nlm_table;
const NlmKernels nlm_table{add_row, add_product, rectify, logits, log_sum_exp};

}  // namespace dragoman::DRAGOMAN_KERNELS
