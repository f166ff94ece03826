// How well the words that are not translated yet can be hoped to do (thesis 2.6.1): for every span the best that
// phrases in any order could score, with language models seeing no further than a phrase. O(n^3) time, n^2 numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "decode/coverage.h"

namespace dragoman::decode {

class FutureCost {
 public:
  explicit FutureCost(uint32_t size)
      : size_(size), best_((size + 1) * size_t{size + 1}, -std::numeric_limits<double>::infinity()) {
    for (uint32_t at = 0; at <= size; ++at) best(at, at) = 0;
  }
  void offer(uint32_t begin, uint32_t end, double score) { best(begin, end) = std::max(best(begin, end), score); }
  // After all offers.
  void combine() {
    for (uint32_t length = 2; length <= size_; ++length)
      for (uint32_t begin = 0; begin + length <= size_; ++begin)
        for (uint32_t middle = begin + 1; middle < begin + length; ++middle)
          offer(begin, begin + length, best(begin, middle) + best(middle, begin + length));
  }
  double of(uint32_t begin, uint32_t end) const { return best_[begin * size_t{size_ + 1} + end]; }
  double of(const Coverage& coverage) const {
    double total = 0;
    uint32_t at = coverage.first_gap;
    uint64_t rest = coverage.beyond;
    while (at < size_) {
      const uint32_t free = rest ? static_cast<uint32_t>(std::countr_zero(rest)) : size_ - at;
      total += of(at, at + free);
      if (!rest) break;
      rest >>= free;
      const uint32_t covered = static_cast<uint32_t>(std::countr_one(rest));
      rest = covered >= 64 ? 0 : rest >> covered;
      at += free + covered;
    }
    return total;
  }

 private:
  double& best(uint32_t begin, uint32_t end) { return best_[begin * size_t{size_ + 1} + end]; }

  uint32_t size_;
  std::vector<double> best_;
};

}  // namespace dragoman::decode
