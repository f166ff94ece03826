#include "nlm/kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace dragoman::nlm::DRAGOMAN_KERNELS {
namespace {

#include "base/prefetch.h"
#include "nlm/float_lanes.inc"

// Rows of weights in one precision, `width` values at a time.
struct FloatRow {
  const float* from;
  FloatRow(const MatrixView& matrix, uint32_t row) : FloatRow(matrix.row(row)) {}
  explicit FloatRow(const std::byte* row) : from(reinterpret_cast<const float*>(row)) {}
  Lanes at(uint32_t i) const { return Lanes::load(from + i); }
  Lanes scaled(Lanes factors, uint32_t) const { return factors; }
};
struct HalfRow {
  const uint16_t* from;
  HalfRow(const MatrixView& matrix, uint32_t row) : HalfRow(matrix.row(row)) {}
  explicit HalfRow(const std::byte* row) : from(reinterpret_cast<const uint16_t*>(row)) {}
  Lanes at(uint32_t i) const { return Lanes::load_half(from + i); }
  Lanes scaled(Lanes factors, uint32_t) const { return factors; }
};
struct ByteRow {
  const int8_t* from;
  float scale;
  ByteRow(const MatrixView& matrix, uint32_t row)
      : from(reinterpret_cast<const int8_t*>(matrix.row(row))), scale(matrix.scales[row]) {}
  Lanes at(uint32_t i) const { return Lanes::load_bytes(from + i); }
  Lanes scaled(Lanes factors, uint32_t) const { return factors * Lanes::all(scale); }
};
struct NibbleRow {
  const std::byte* from;
  const float* scales;
  NibbleRow(const MatrixView& matrix, uint32_t row)
      : from(matrix.row(row)), scales(matrix.scales + size_t{row} * (matrix.stride / int4_group)) {}
  Lanes at(uint32_t i) const {
    const std::byte* bytes = from + i / int4_group * (int4_group / 2) + i % (int4_group / 2);
    const bool high = i % int4_group >= int4_group / 2;
    int8_t codes[Lanes::width];
    for (uint32_t k = 0; k < Lanes::width; ++k)
      codes[k] = static_cast<int8_t>((static_cast<uint8_t>(bytes[k]) >> (high ? 4 : 0) & 15) - 8);
    return Lanes::load_bytes(codes);
  }
  Lanes scaled(Lanes factors, uint32_t i) const { return factors * Lanes::all(scales[i / int4_group]); }
};

template <class Row>
void add_scaled(const MatrixView& matrix, const Addend* addends, uint32_t count, const float* start, float* sum) {
  for (uint32_t i = 0; i < matrix.stride; i += Lanes::width) {
    Lanes total = Lanes::load(start + i);
    for (uint32_t k = 0; k < count; ++k) {
      const Row row(matrix, addends[k].row);
      total = total.plus_product(row.scaled(Lanes::load(addends[k].factors + i), i), row.at(i));
    }
    total.store(sum + i);
  }
}

void add_rows(const MatrixView& matrix, const Addend* addends, uint32_t count, const float* start, float* sum) {
  switch (matrix.precision) {
    case Precision::f32:
      return add_scaled<FloatRow>(matrix, addends, count, start, sum);
    case Precision::f16:
      return add_scaled<HalfRow>(matrix, addends, count, start, sum);
    case Precision::int8:
      return add_scaled<ByteRow>(matrix, addends, count, start, sum);
    case Precision::int4:
      return add_scaled<NibbleRow>(matrix, addends, count, start, sum);
  }
}

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
  if (!codes) {
    for (uint32_t i = 0; i < count; i += Lanes::width) Lanes::load(values + i).max(Lanes::zero()).store(values + i);
    return 1;
  }
  Lanes most = Lanes::zero();
  for (uint32_t i = 0; i < count; i += Lanes::width) most = Lanes::load(values + i).max(most);
  const float largest = most.largest();
  // Also for what is no number: damaged weights give wrong scores and nothing worse.
  if (!(largest > 0) || !(largest < 1e30f)) {
    std::memset(codes, 0, count);
    return 0;
  }
  const Lanes by = Lanes::all(255 / largest);
  for (uint32_t i = 0; i < count; i += Lanes::width)
    (Lanes::load(values + i).max(Lanes::zero()) * by).store_codes(codes + i);
  return largest / 255;
}

template <class Row>
void float_logits(const MatrixView& matrix, uint32_t first, uint32_t count, const float* bias,
                  const Activation* contexts, uint32_t context_count, float* out, size_t out_stride) {
  for (uint32_t r = 0; r < count; ++r)
    for (uint32_t c = 0; c < context_count; ++c)
      out[c * out_stride + r] = bias[r] + dot<Row>(matrix.row(first + r), contexts[c].values, matrix.stride);
}

// Asks for a step of what is wanted soon; false if there is nothing left.
inline bool ask(ReadAhead& ahead) {
  if (ahead.now.begin >= ahead.now.end) {
    if (ahead.next == ahead.stretches.size()) return false;
    ahead.now = ahead.stretches[ahead.next++];
  }
  for (size_t at = 0; at < ReadAhead::step; at += ReadAhead::line) prefetch(ahead.now.begin + at);
  ahead.now.begin += ReadAhead::step;
  return true;
}

#include "nlm/byte_products.inc"
#include "nlm/interleaved_products.inc"

template <uint32_t many>
void byte_rows(const MatrixView& matrix, uint32_t first, uint32_t count, const float* bias, const Activation* contexts,
               float* out, size_t out_stride, ReadAhead& ahead) {
  for (uint32_t r = 0; r < count; r += rows_of(many)) {
    const auto* rows = reinterpret_cast<const int8_t*>(matrix.row(first + r));
    const Block block{rows, matrix.stride, matrix.scales + first + r, bias + r, contexts, out + r, out_stride};
    if (count - r < rows_of(many)) return last_products(block, many, count - r);
    for (size_t asked = 0; asked < rows_of(many) * matrix.stride && ask(ahead); asked += ReadAhead::step) continue;
    byte_products<many>(block);
  }
}

void byte_logits(const MatrixView& matrix, uint32_t first, uint32_t count, const float* bias,
                 const Activation* contexts, uint32_t context_count, float* out, size_t out_stride, ReadAhead& ahead) {
  if (count == 1 && context_count == 1) {
    const auto* row = reinterpret_cast<const int8_t*>(matrix.row(first));
    return row_product({row, matrix.stride, matrix.scales + first, bias, contexts, out, out_stride}, 0, 0);
  }
  for (uint32_t c = 0; c < context_count;) {
    const uint32_t many = std::min(std::bit_floor(context_count - c), context_block);
    const auto rows = many == 4 ? byte_rows<4> : many == 2 ? byte_rows<2> : byte_rows<1>;
    rows(matrix, first, count, bias, contexts + c, out + c * out_stride, out_stride, ahead);
    c += many;
  }
}

void logits(const MatrixView& matrix, uint32_t first, uint32_t count, const float* bias, const Activation* contexts,
            uint32_t context_count, float* out, size_t out_stride, ReadAhead& ahead) {
  switch (matrix.precision) {
    case Precision::f32:
      return float_logits<FloatRow>(matrix, first, count, bias, contexts, context_count, out, out_stride);
    case Precision::f16:
      return float_logits<HalfRow>(matrix, first, count, bias, contexts, context_count, out, out_stride);
    default:
      return byte_logits(matrix, first, count, bias, contexts, context_count, out, out_stride, ahead);
  }
}

#include "nlm/exponential.inc"

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
const NlmKernels nlm_table{add_rows, add_product, rectify, logits, interleaved_logits, log_sum_exp};

}  // namespace dragoman::nlm::DRAGOMAN_KERNELS
