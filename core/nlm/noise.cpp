#include "nlm/noise.h"

#include <algorithm>
#include <cmath>

namespace dragoman::nlm {

Noise::Noise(std::span<const double> counts, std::span<const uint32_t> factor_begin, uint32_t samples)
    : samples_(samples) {
  running_.push_back(0);
  for (double count : counts) running_.push_back(running_.back() + count);
  for (size_t factor = 0; factor + 1 < factor_begin.size(); ++factor) {
    const double total = running_[factor_begin[factor + 1]] - running_[factor_begin[factor]];
    for (uint32_t row = factor_begin[factor]; row < factor_begin[factor + 1]; ++row)
      logs_.push_back(static_cast<float>(std::log(samples * counts[row] / total)));
  }
}

void Noise::draw(uint32_t first, uint32_t count, Random random, std::span<uint32_t> rows) const {
  const auto begin = running_.begin() + first, end = begin + count;
  for (uint32_t& row : rows) {
    const double at = *begin + random.uniform() * (*end - *begin);
    // The last sum that is not above; rounding must not lead out of the factor.
    const auto above = std::upper_bound(begin, end, at);
    row = static_cast<uint32_t>(std::max(above, begin + 1) - running_.begin()) - 1;
  }
}

void Noise::share(uint32_t first, uint32_t count, Random random, std::span<float> times) const {
  if (count <= samples_) {
    for (uint32_t i = 0; i < count; ++i) times[i] = std::exp(logs_[first + i]);
    return;
  }
  std::fill_n(times.begin(), count, 0.f);
  std::vector<uint32_t> rows(samples_);
  draw(first, count, random, rows);
  for (uint32_t row : rows) ++times[row - first];
}

}  // namespace dragoman::nlm
