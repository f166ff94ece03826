#include "text/linked_text.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/hash.h"

namespace dragoman::text {
namespace {

// A longer text is sampled: the last million words teach little more.
constexpr uint64_t most_words = 4'000'000;
// In fewer buckets than words, features meet by chance; beyond the most, more make no difference.
constexpr uint64_t least_buckets = 1 << 10;
constexpr uint64_t most_buckets = 1 << 16;
// A short text is read more often.
constexpr uint64_t least_passes = 2;
constexpr uint64_t most_passes = 10;
constexpr uint64_t enough_words = 100'000;

}  // namespace

LinkedText::LinkedText(const IdText& target, const LinkedSource* source)
    : target_(target), source_(source), order_(target.sentences()) {
  if (source) require_equal_lines(source->text.sentences(), target.sentences(), source->links.pairs());
  std::iota(order_.begin(), order_.end(), 0u);
  shuffle(0);
  uint64_t words = 0;
  size_t lines = 0;
  for (; lines < order_.size() && words < most_words; ++lines) words += target.length(order_[lines]);
  order_.resize(words == 0 ? 0 : lines);
  if (order_.empty()) return;
  passes_ = std::clamp(enough_words / words, least_passes, most_passes);
  buckets_ = buckets_for(words);
}

uint64_t LinkedText::buckets_for(uint64_t words) {
  return std::bit_ceil(std::clamp(words, least_buckets, most_buckets));
}

void LinkedText::shuffle(uint64_t seed) {
  for (size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[mix(i ^ mix(seed)) % i]);
}

}  // namespace dragoman::text
