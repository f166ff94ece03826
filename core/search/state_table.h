// The states of one sentence, each kept once and known by a number from then on: numbers are what hypotheses carry,
// compare and hash, and what answers are remembered by.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "base/namespaces.h"

namespace dragoman::search {

class StateTable {
 public:
  explicit StateTable(size_t state_bytes) : state_bytes_(state_bytes), slots_(64, absent) {}

  size_t bytes() const { return states_.size() + slots_.size() * sizeof(uint32_t); }
  // Valid until the next add.
  const std::byte* operator[](uint32_t number) const { return states_.data() + number * state_bytes_; }

  // The number of this state, the next one if it is new.
  uint32_t add(const void* state) {
    if (2 * size_ >= slots_.size()) grow();
    size_t slot = place_of(state);
    for (; slots_[slot] != absent; slot = (slot + 1) & (slots_.size() - 1))
      if (std::memcmp((*this)[slots_[slot]], state, state_bytes_) == 0) return slots_[slot];
    const auto* bytes = static_cast<const std::byte*>(state);
    states_.insert(states_.end(), bytes, bytes + state_bytes_);
    return slots_[slot] = size_++;
  }

 private:
  static constexpr uint32_t absent = UINT32_MAX;

  size_t place_of(const void* state) const { return hash_bytes(state, state_bytes_) & (slots_.size() - 1); }
  void grow() {
    slots_.assign(slots_.size() * 2, absent);
    for (uint32_t number = 0; number < size_; ++number) {
      size_t slot = place_of((*this)[number]);
      while (slots_[slot] != absent) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = number;
    }
  }

  size_t state_bytes_;
  std::vector<std::byte> states_;
  std::vector<uint32_t> slots_;
  uint32_t size_ = 0;
};

}  // namespace dragoman::search
