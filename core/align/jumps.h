// How far the hidden Markov model moves between two generated words (Vogel et al. 1996). Positions of a sentence of
// `size` words are 1..size; 0 is where every sentence starts from. A move from i to l has the weight w(l - i), and
//   p(l | i, size) = w(l - i) / sum over k in 1..size of w(k - i),
// so that no mass falls outside the sentence. Weights beyond jump_reach words share one value.
//
// The M-step has no closed form because of the sum; Hunter's minorize-maximize update for such ratios (2004) raises
// the expected log-likelihood at every step:
//   w(d) <- jumps(d) / sum over (i, size) that allow d of moves(i, size) / sum(i, size).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "align/kernels.h"
#include "base/varint.h"

namespace dragoman::align {

class JumpStatistics;

class JumpTable {
 public:
  // Falls off with the distance, with a preference for one word forward.
  JumpTable();
  explicit JumpTable(std::span<const float> weights);

  // jump_taps weights for -reach..reach, then the shared one.
  std::span<const float> weights() const { return weights_; }
  float weight(int64_t distance) const {
    const int64_t at = distance + static_cast<int64_t>(jump_reach);
    return at < 0 || at >= static_cast<int64_t>(jump_taps) ? weights_.back() : weights_[at];
  }
  float shared() const { return weights_.back(); }
  // Weights less the shared one: what the kernels sum over.
  const float* taps() const { return taps_.data(); }
  // Sum of the weights of all moves from `position` into a sentence.
  float sum(size_t position, size_t size) const;

  void update(const JumpStatistics& statistics);

 private:
  void prepare();

  std::array<float, jump_taps + 1> weights_;
  std::array<float, jump_taps> taps_;
  std::array<double, jump_taps + 1> below_;  // sum of the weights of jumps shorter than tap d
};

// Expected moves, in fixed point so that they can be summed in any order.
class JumpStatistics {
 public:
  explicit JumpStatistics(size_t max_words) : stride_(max_words + 1), moves_(stride_ * stride_) {}

  void clear();
  // `jumps` holds jump_taps + 1 sums; `moves` the expected moves away from each position 0..size of a sentence.
  void add(std::span<const double> jumps);
  void add_moves(size_t size, size_t position, float moves);
  // All of them as bytes, and those of another object of this size added; false if the bytes do not fit.
  void append_to(std::vector<uint8_t>& bytes) const;
  bool add_from(VarintReader& bytes);

  double jumps(size_t tap) const { return static_cast<double>(jumps_[tap]) / one; }
  double moves(size_t position, size_t size) const {
    return static_cast<double>(moves_[size * stride_ + position]) / one;
  }
  size_t max_words() const { return stride_ - 1; }

 private:
  static constexpr double one = 1 << 20;

  size_t stride_;
  std::array<int64_t, jump_taps + 1> jumps_{};
  std::vector<int64_t> moves_;  // by size, then position
};

}  // namespace dragoman::align
