// How well the words that are not translated yet can be hoped to do (thesis 2.6.1): for every span the best that
// phrases in any order could score, with language models seeing no further than a phrase.
//
// Holes lie close together, so that what is asked for is spans of a few dozen words and whatever follows the last
// covered word. Spans of up to max_width words are worked out from all pairs of parts; what lies further from the end
// is one of these or a longer phrase, and the rest. O(n · max_width²) time, n · max_width numbers, in the search's
// memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "search/arena.h"
#include "search/coverage.h"
#include "search/language_model.h"

namespace dragoman::search {

class FutureCost {
 public:
  // More than the words of a sentence that was not left whole on purpose.
  static constexpr uint32_t max_width = 128;
  static_assert(max_width >= 64, "a hole before a covered word may be as wide as a coverage");

  FutureCost(uint32_t size, Arena& arena)
      : size_(size),
        width_(std::min(size, max_width)),
        best_(arena.array<double>((size_t{size} + 1) * (size_t{width_} + 1))),
        rest_(arena.array<double>(size_t{size} + 1)) {
    std::ranges::fill(best_, impossible);
    std::ranges::fill(rest_, impossible);
    for (uint32_t at = 0; at <= size; ++at) best(at, at) = 0;
  }
  // Phrases must come in the order of where they begin.
  void offer(uint32_t begin, uint32_t end, double score) {
    if (end - begin <= width_)
      best(begin, end) = std::max(best(begin, end), score);
    else
      longer_.push_back({begin, end, score});
  }
  // After all offers.
  void combine() {
    for (uint32_t length = 2; length <= width_; ++length)
      for (uint32_t begin = 0; begin + length <= size_; ++begin)
        for (uint32_t middle = begin + 1; middle < begin + length; ++middle)
          offer(begin, begin + length, best(begin, middle) + best(middle, begin + length));
    for (uint32_t begin = size_ + 1; begin-- > 0;) {
      double& most = rest_[begin];
      if (size_ - begin <= width_) {
        most = best(begin, size_);
        continue;
      }
      for (uint32_t end = begin + 1; end <= begin + width_; ++end) most = std::max(most, best(begin, end) + rest_[end]);
      for (; !longer_.empty() && longer_.back().begin == begin; longer_.pop_back())
        most = std::max(most, longer_.back().score + rest_[longer_.back().end]);
    }
  }
  // Of a span of up to max_width words, and of all words from one on.
  double of(uint32_t begin, uint32_t end) const { return best_[begin * (size_t{width_} + 1) + (end - begin)]; }
  double rest(uint32_t begin) const { return rest_[begin]; }
  double of(const Coverage& coverage) const {
    double total = 0;
    uint32_t at = coverage.first_gap;
    uint64_t covered = coverage.beyond;
    while (covered) {
      const uint32_t free = static_cast<uint32_t>(std::countr_zero(covered));
      total += of(at, at + free);
      covered >>= free;
      const uint32_t run = static_cast<uint32_t>(std::countr_one(covered));
      covered = run >= 64 ? 0 : covered >> run;
      at += free + run;
    }
    return at < size_ ? total + rest(at) : total;
  }

 private:
  struct Phrase {
    uint32_t begin, end;
    double score;
  };
  double& best(uint32_t begin, uint32_t end) { return best_[begin * (size_t{width_} + 1) + (end - begin)]; }

  uint32_t size_, width_;
  std::span<double> best_;      // by begin and length
  std::span<double> rest_;      // by begin
  std::vector<Phrase> longer_;  // than max_width
};

}  // namespace dragoman::search
