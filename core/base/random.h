// Seeded random numbers that are the same on every platform, which the distributions of <random> are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace dragoman {

class Random {
 public:
  // Streams of one seed are independent of each other.
  explicit Random(uint64_t seed, uint64_t stream = 0) : state_(mix(seed) ^ mix(~stream)) {}

  uint64_t next() { return mix(state_++); }
  // [0, 1)
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  // Below `bound`; the bias of the remainder is below 2^-32 for any list that fits into memory.
  size_t below(size_t bound) { return static_cast<size_t>(next() % bound); }
  // Close to a normal distribution of variance 1 (twelve uniform numbers), without functions that round differently.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

  std::vector<uint32_t> shuffled(size_t size) {
    std::vector<uint32_t> numbers(size);
    std::iota(numbers.begin(), numbers.end(), 0u);
    for (size_t i = size; i > 1; --i) std::swap(numbers[i - 1], numbers[below(i)]);
    return numbers;
  }

 private:
  uint64_t state_;
};

}  // namespace dragoman
