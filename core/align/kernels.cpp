#include "align/kernels.h"

#include <cstring>

namespace dragoman::align::DRAGOMAN_KERNELS {
namespace {

// One block of states. Left to themselves, compilers vectorize over the jumps, which costs ten times as much.
#if defined(__GNUC__) || defined(__clang__)
using Block = float __attribute__((vector_size(state_block * sizeof(float))));
#else
struct Block {
  float lane[state_block];
  friend Block operator*(float a, const Block& b) {
    Block c;
    for (size_t k = 0; k < state_block; ++k) c.lane[k] = a * b.lane[k];
    return c;
  }
  friend Block operator*(const Block& a, const Block& b) {
    Block c;
    for (size_t k = 0; k < state_block; ++k) c.lane[k] = a.lane[k] * b.lane[k];
    return c;
  }
  friend Block operator+(const Block& a, const Block& b) {
    Block c;
    for (size_t k = 0; k < state_block; ++k) c.lane[k] = a.lane[k] + b.lane[k];
    return c;
  }
  Block& operator+=(const Block& b) { return *this = *this + b; }
};
#endif

inline Block load(const float* from) {
  Block block;
  std::memcpy(&block, from, sizeof block);
  return block;
}

inline Block filled(float value) {
  float lanes[state_block];
  for (float& lane : lanes) lane = value;
  return load(lanes);
}

// The filter at one block: shifted[-direction * d] against tap d. Two sums, so that additions need not wait.
template <int direction>
inline void filter(const float* in, const float* taps, float constant, float* out, size_t size) {
  constexpr auto reach = static_cast<ptrdiff_t>(jump_reach);
  static_assert(jump_taps % 2 == 1);
  for (size_t at = 0; at < size; at += state_block) {
    const float* middle = in + at;
    Block even = filled(constant) + taps[0] * load(middle - direction * reach);
    Block odd = filled(0);
    for (ptrdiff_t d = 1; d < static_cast<ptrdiff_t>(jump_taps); d += 2) {
      odd += taps[d] * load(middle + direction * (d - reach));
      even += taps[d + 1] * load(middle + direction * (d + 1 - reach));
    }
    even += odd;
    std::memcpy(out + at, &even, sizeof even);
  }
}

void spread(const float* in, const float* taps, float constant, float* out, size_t size) {
  filter<-1>(in, taps, constant, out, size);
}

void collect(const float* in, const float* taps, float constant, float* out, size_t size) {
  filter<1>(in, taps, constant, out, size);
}

void correlate(const float* from, const float* to, float* sums, size_t size) {
  for (size_t d = 0; d < jump_taps; ++d) {
    const float* shifted = to + d - jump_reach;
    Block products = load(sums + d * state_block);
    for (size_t at = 0; at < size; at += state_block) products += load(from + at) * load(shifted + at);
    std::memcpy(sums + d * state_block, &products, sizeof products);
  }
}

}  // namespace

extern const AlignKernels align_table;
const AlignKernels align_table{spread, collect, correlate};

}  // namespace dragoman::align::DRAGOMAN_KERNELS
