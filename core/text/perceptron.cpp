#include "text/perceptron.h"

#include <bit>
#include <numeric>

#include "base/hash.h"

namespace dragoman::text {
namespace {

// A longer text is sampled: the last million words teach little more.
constexpr uint64_t most_words = 4'000'000;
// One bucket for so many words of the text, as a power of two within limits.
constexpr uint64_t words_per_bucket = 8;
constexpr uint64_t least_buckets = 1 << 10;
constexpr uint64_t most_buckets = 1 << 16;
// A short text is read more often.
constexpr uint64_t least_passes = 2;
constexpr uint64_t most_passes = 10;
constexpr uint64_t enough_words = 100'000;

// The same on every platform.
void shuffle(std::vector<uint32_t>& order, uint64_t seed) {
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mix(i ^ mix(seed)) % i]);
}

}  // namespace

LearningPlan::LearningPlan(const IdText& text) : order_(text.sentences()) {
  std::iota(order_.begin(), order_.end(), 0u);
  shuffle(order_, 0);
  uint64_t words = 0;
  size_t lines = 0;
  for (; lines < order_.size() && words < most_words; ++lines) words += text.length(order_[lines]);
  order_.resize(words == 0 ? 0 : lines);
  if (order_.empty()) return;
  passes_ = std::clamp(enough_words / words, least_passes, most_passes);
  buckets_ = std::bit_ceil(std::clamp(words / words_per_bucket, least_buckets, most_buckets));
}

const std::vector<uint32_t>& LearningPlan::order(uint64_t pass) {
  shuffle(order_, pass + 1);
  return order_;
}

}  // namespace dragoman::text
