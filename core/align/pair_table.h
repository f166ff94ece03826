// The word pairs an aligner considers, row by source word with ascending target words, and a probability in each
// direction. Both directions share the rows, so one look-up serves both. Eight bytes a pair, and eight more for the
// expected counts while training.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/sparse_sums.h"
#include "text/vocabulary.h"

namespace dragoman::align {

// A probability in 16 bits: a float without its sign, with five bits of exponent and eleven of mantissa, from 2^-31 to
// 1 with a relative error of at most 2^-12. Reading one is a shift and an addition.
class Probability {
 public:
  Probability() = default;
  explicit Probability(float value) {
    const float bounded = std::clamp(value, 0x1p-31f, 1.0f);
    bits_ = static_cast<uint16_t>((std::bit_cast<uint32_t>(bounded) - offset + (1u << 11)) >> 12);
  }
  operator float() const { return std::bit_cast<float>((static_cast<uint32_t>(bits_) << 12) + offset); }
  bool operator==(const Probability&) const = default;

 private:
  static constexpr uint32_t offset = (127 - 31) << 23;
  uint16_t bits_;
};

// A number for each direction.
struct Both {
  float forward = 0;
  float backward = 0;
};

struct PairTable {
  std::vector<uint64_t> begins;    // row of source word s is [begins[s], begins[s + 1])
  Array<WordId> targets;           // ascending within a row
  Array<Probability> forward;      // p(target | source)
  Array<Probability> backward;     // p(source | target)
  std::vector<float> null_target;  // p(target | NULL), by target word
  std::vector<float> null_source;  // p(source | NULL), by source word

  explicit PairTable(ArrayMemory* memory = array_memory()) : targets(memory), forward(memory), backward(memory) {}

  size_t size() const { return targets.size(); }
  std::span<const WordId> row(WordId source) const {
    return {targets.data() + begins[source], begins[source + 1] - begins[source]};
  }
  static constexpr uint64_t absent = ~uint64_t{0};
  uint64_t find(WordId source, WordId target) const {
    auto words = row(source);
    auto place = std::lower_bound(words.begin(), words.end(), target);
    return place == words.end() || *place != target ? absent : begins[source] + (place - words.begin());
  }
};

// Expected counts in fixed point, so that sums do not depend on the order of their terms and any number of threads
// gives the same bits. A pair's count cannot pass its generated word's frequency, which sets how many bits stand
// behind the point: rare words get the finest steps (2^-22), a word seen a million times 2^-11.
class PairCounts {
 public:
  PairCounts(size_t pairs, std::span<const uint32_t> source_frequencies, std::span<const uint32_t> target_frequencies,
             ArrayMemory* memory = array_memory());

  void clear();
  // All sums as bytes, and sums of another object of this size added to these; false if the bytes do not fit.
  void append_to(std::vector<uint8_t>& bytes) const;
  bool add_from(VarintReader& bytes);
  // NULL's counts out of another object.
  void take_null(PairCounts& other) {
    null_target_.swap(other.null_target_);
    null_source_.swap(other.null_source_);
  }
  void add_forward(uint64_t pair, WordId target, float count) { add(forward_[pair], count, target_bits_[target]); }
  void add_backward(uint64_t pair, WordId source, float count) { add(backward_[pair], count, source_bits_[source]); }
  void add_null_target(WordId target, float count) { add(null_target_[target], count); }
  void add_null_source(WordId source, float count) { add(null_source_[source], count); }

  float forward(uint64_t pair, WordId target) const { return value(forward_[pair], target_bits_[target]); }
  float backward(uint64_t pair, WordId source) const { return value(backward_[pair], source_bits_[source]); }
  double null_target(WordId target) const { return static_cast<double>(null_target_[target]) / wide_one; }
  double null_source(WordId source) const { return static_cast<double>(null_source_[source]) / wide_one; }

 private:
  static constexpr double wide_one = 1 << 24;
  static float one(uint32_t bits) { return static_cast<float>(uint32_t{1} << bits); }
  static void add(uint32_t& sum, float count, uint32_t bits) {
    const auto steps = static_cast<uint32_t>(count * one(bits) + 0.5f);
    if (steps) std::atomic_ref(sum).fetch_add(steps, std::memory_order_relaxed);
  }
  static void add(uint64_t& sum, float count) {
    std::atomic_ref(sum).fetch_add(static_cast<uint64_t>(count * wide_one + 0.5), std::memory_order_relaxed);
  }
  static float value(uint32_t sum, uint32_t bits) { return static_cast<float>(sum) / one(bits); }

  Array<uint32_t> forward_;
  Array<uint32_t> backward_;
  std::vector<uint64_t> null_target_;
  std::vector<uint64_t> null_source_;
  std::vector<uint8_t> source_bits_;
  std::vector<uint8_t> target_bits_;
};

}  // namespace dragoman::align
