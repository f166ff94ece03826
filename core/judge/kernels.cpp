#include "judge/kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace dragoman::judge::DRAGOMAN_KERNELS {
namespace {

#include "nlm/float_lanes.inc"
// After the lanes it is written in.
#include "nlm/exponential.inc"

void normalise(const float* values, const float* weight, const float* bias, float* out, uint32_t size) {
  Lanes sum = Lanes::zero();
  for (uint32_t i = 0; i < size; i += Lanes::width) sum = sum + Lanes::load(values + i);
  const Lanes mean = Lanes::all(sum.sum() / static_cast<float>(size));
  Lanes squares = Lanes::zero();
  for (uint32_t i = 0; i < size; i += Lanes::width) {
    const Lanes off = Lanes::load(values + i) - mean;
    squares = squares.plus_product(off, off);
  }
  const Lanes by = Lanes::all(1 / std::sqrt(squares.sum() / static_cast<float>(size) + 1e-5f));
  for (uint32_t i = 0; i < size; i += Lanes::width)
    Lanes::load(bias + i).plus_product((Lanes::load(values + i) - mean) * by, Lanes::load(weight + i)).store(out + i);
}

float encode(const float* values, uint8_t* codes, uint32_t size) {
  Lanes most = Lanes::zero();
  for (uint32_t i = 0; i < size; i += Lanes::width) {
    const Lanes value = Lanes::load(values + i);
    most = most.max(value).max(Lanes::zero() - value);
  }
  const float largest = most.largest();
  // Also for what is no number: damaged weights give wrong scores and nothing worse.
  if (!(largest > 0) || !(largest < 1e30f)) {
    std::memset(codes, 128, size);
    return 0;
  }
  const Lanes by = Lanes::all(127 / largest), middle = Lanes::all(128);
  for (uint32_t i = 0; i < size; i += Lanes::width)
    middle.plus_product(Lanes::load(values + i), by).store_codes(codes + i);
  return largest / 127;
}

void correct(float* values, const float* corrections, float scale, uint32_t size) {
  const Lanes by = Lanes::all(-scale);
  for (uint32_t i = 0; i < size; i += Lanes::width)
    Lanes::load(values + i).plus_product(Lanes::load(corrections + i), by).store(values + i);
}

void add(float* sum, const float* values, uint32_t size) {
  for (uint32_t i = 0; i < size; i += Lanes::width) (Lanes::load(sum + i) + Lanes::load(values + i)).store(sum + i);
}

void rectify(float* values, uint32_t size) {
  for (uint32_t i = 0; i < size; i += Lanes::width) Lanes::load(values + i).max(Lanes::zero()).store(values + i);
}

// Weights to what is proportional to them, and their sum.
float exponentials(float* weights, uint32_t count) {
  const uint32_t all = (count + 15) / 16 * 16;
  std::fill(weights + count, weights + all, -1e30f);
  Lanes most = Lanes::load(weights);
  for (uint32_t i = 0; i < all; i += Lanes::width) most = most.max(Lanes::load(weights + i));
  const float largest = most.largest();
  // Of damaged weights: all are looked at alike.
  if (!(std::fabs(largest) < 1e30f)) {
    std::fill(weights, weights + count, 1.0f);
    return static_cast<float>(count);
  }
  const Lanes shift = Lanes::all(largest);
  Lanes sum = Lanes::zero();
  for (uint32_t i = 0; i < all; i += Lanes::width) {
    const Lanes power = exponential(Lanes::load(weights + i) - shift);
    power.store(weights + i);
    sum = sum + power;
  }
  // What fills up the last register is not nothing: e^-87 each, which no sum that has 1 in it can tell from it.
  return sum.sum();
}

void attend(const float* query, const Attended& to, uint32_t heads, uint32_t head_size, float* weights, float* out) {
  const float by = 1 / std::sqrt(static_cast<float>(head_size));
  for (uint32_t head = 0; head < heads; ++head) {
    const uint32_t at = head * head_size;
    for (uint32_t k = 0; k < to.count; ++k) {
      Lanes product = Lanes::zero();
      for (uint32_t i = at; i < at + head_size; i += Lanes::width)
        product = product.plus_product(Lanes::load(query + i), Lanes::load(to.keys[k] + i));
      weights[k] = product.sum() * by;
    }
    const Lanes share = Lanes::all(1 / exponentials(weights, to.count));
    for (uint32_t i = at; i < at + head_size; i += Lanes::width) {
      Lanes sum = Lanes::zero();
      for (uint32_t k = 0; k < to.count; ++k)
        sum = sum.plus_product(Lanes::all(weights[k]), Lanes::load(to.values[k] + i));
      (sum * share).store(out + i);
    }
  }
}

}  // namespace

extern const JudgeKernels judge_table;
const JudgeKernels judge_table{normalise, encode, correct, add, rectify, attend};

}  // namespace dragoman::judge::DRAGOMAN_KERNELS
