// The numbers below some size in a random order that takes no memory: a Feistel network over the next power of two
// permutes, and what falls outside is permuted again until it falls inside. About 20 ns a number.
#pragma once

#include <bit>
#include <cstdint>

#include "base/hash.h"

namespace dragoman::nlm {

class ShuffledRange {
 public:
  ShuffledRange(uint64_t size, uint64_t seed) : size_(size), seed_(seed) {
    const auto bits = static_cast<uint32_t>(std::bit_width(size > 1 ? size - 1 : 1));
    low_bits_ = (bits + 1) / 2;
    low_mask_ = (uint64_t{1} << low_bits_) - 1;
    high_mask_ = (uint64_t{1} << (bits - low_bits_)) - 1;
  }

  uint64_t size() const { return size_; }
  uint64_t operator[](uint64_t place) const {
    do place = permuted(place);
    while (place >= size_);
    return place;
  }

 private:
  uint64_t permuted(uint64_t number) const {
    uint64_t high = number >> low_bits_, low = number & low_mask_;
    for (uint64_t round = 0; round < 3; ++round) {
      high ^= mix((seed_ + 2 * round) ^ mix(low)) & high_mask_;
      low ^= mix((seed_ + 2 * round + 1) ^ mix(high)) & low_mask_;
    }
    return high << low_bits_ | low;
  }

  uint64_t size_, seed_;
  uint32_t low_bits_;
  uint64_t low_mask_, high_mask_;
};

}  // namespace dragoman::nlm
