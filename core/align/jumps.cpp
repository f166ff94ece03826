#include "align/jumps.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/sparse_sums.h"

namespace dragoman::align {

JumpTable::JumpTable() {
  for (size_t tap = 0; tap < jump_taps; ++tap) {
    const double distance = static_cast<double>(tap) - static_cast<double>(jump_reach) - 1;
    weights_[tap] = static_cast<float>(std::exp(-0.5 * std::abs(distance)) + 0.003);
  }
  weights_.back() = 0.003f;
  prepare();
}

JumpTable::JumpTable(std::span<const float> weights) {
  std::copy_n(weights.begin(), weights_.size(), weights_.begin());
  prepare();
}

void JumpTable::prepare() {
  below_[0] = 0;
  for (size_t tap = 0; tap < jump_taps; ++tap) {
    taps_[tap] = weights_[tap] - weights_.back();
    below_[tap + 1] = below_[tap] + weights_[tap];
  }
}

float JumpTable::sum(size_t position, size_t size) const {
  constexpr auto reach = static_cast<int64_t>(jump_reach);
  const int64_t first = 1 - static_cast<int64_t>(position);
  const int64_t last = static_cast<int64_t>(size) - static_cast<int64_t>(position);
  const int64_t from = std::clamp<int64_t>(first, -reach, reach + 1);
  const int64_t to = std::clamp<int64_t>(last + 1, from, reach + 1);
  const double near = below_[to + reach] - below_[from + reach];
  return static_cast<float>(near + static_cast<double>(last - first + 1 - (to - from)) * weights_.back());
}

void JumpTable::update(const JumpStatistics& statistics) {
  constexpr auto reach = static_cast<int64_t>(jump_reach);
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    // For each tap, the moves that could have taken it, each over its sum.
    std::array<double, jump_taps + 1> chances{};
    for (size_t size = 1; size <= statistics.max_words(); ++size) {
      for (size_t position = 0; position <= size; ++position) {
        const double moves = statistics.moves(position, size);
        if (moves <= 0) continue;
        const double share = moves / sum(position, size);
        const int64_t first = 1 - static_cast<int64_t>(position);
        const int64_t last = static_cast<int64_t>(size) - static_cast<int64_t>(position);
        const int64_t from = std::max(first, -reach), to = std::min(last, reach);
        for (int64_t d = from; d <= to; ++d) chances[d + reach] += share;
        chances[jump_taps] += share * static_cast<double>(last - first + 1 - std::max<int64_t>(0, to - from + 1));
      }
    }
    float least = std::numeric_limits<float>::max();
    for (size_t tap = 0; tap <= jump_taps; ++tap) {
      if (chances[tap] <= 0) continue;
      weights_[tap] = static_cast<float>(statistics.jumps(tap) / chances[tap]);
      least = std::min(least, weights_[tap]);
    }
    if (least == std::numeric_limits<float>::max()) return;  // nothing moved at all
    double total = 0;
    for (size_t tap = 0; tap <= jump_taps; ++tap) {
      // Jumps longer than any sentence are no likelier than the rarest that could be seen.
      if (chances[tap] <= 0) weights_[tap] = least;
      total += weights_[tap];
    }
    // A little more than nothing, so that no move becomes impossible.
    for (float& weight : weights_) weight = std::max(static_cast<float>(weight / total), 1e-7f);
    prepare();
  }
}

void JumpStatistics::clear() {
  jumps_.fill(0);
  std::fill(moves_.begin(), moves_.end(), 0);
}

namespace {
void add_fixed(int64_t& sum, double value, double one) {
  std::atomic_ref(sum).fetch_add(std::llround(value * one), std::memory_order_relaxed);
}
}  // namespace

void JumpStatistics::add(std::span<const double> jumps) {
  for (size_t tap = 0; tap <= jump_taps; ++tap) add_fixed(jumps_[tap], jumps[tap], one);
}

void JumpStatistics::add_moves(size_t size, size_t position, float moves) {
  add_fixed(moves_[size * stride_ + position], moves, one);
}

void JumpStatistics::append_to(std::vector<uint8_t>& bytes) const {
  append_sums(bytes, std::span<const int64_t>(jumps_));
  append_sums(bytes, std::span<const int64_t>(moves_));
}

bool JumpStatistics::add_from(VarintReader& bytes) {
  return add_sums(bytes, std::span<int64_t>(jumps_)) && add_sums(bytes, std::span<int64_t>(moves_));
}

}  // namespace dragoman::align
