// A hash map from 64-bit keys to 32-bit values in two flat arrays, for the small maps that live as long as one input
// sentence: cleared and filled again without giving memory back. The key UINT64_MAX is not allowed.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace dragoman {

class FlatMap {
 public:
  static constexpr uint32_t absent = UINT32_MAX;

  FlatMap() { resize(64); }

  size_t size() const { return size_; }
  void clear() {
    if (keys_.size() > 64 && size_ < keys_.size() / 16)
      resize(64);
    else
      keys_.assign(keys_.size(), empty);
    size_ = 0;
  }
  uint32_t find(uint64_t key) const {
    for (size_t slot = slot_of(key);; slot = (slot + 1) & (keys_.size() - 1)) {
      if (keys_[slot] == key) return values_[slot];
      if (keys_[slot] == empty) return absent;
    }
  }
  // The value of the key, made absent if it is new.
  uint32_t& operator[](uint64_t key) {
    if (2 * (size_ + 1) > keys_.size()) grow();
    size_t slot = slot_of(key);
    while (keys_[slot] != key && keys_[slot] != empty) slot = (slot + 1) & (keys_.size() - 1);
    if (keys_[slot] == empty) {
      keys_[slot] = key;
      values_[slot] = absent;
      ++size_;
    }
    return values_[slot];
  }

 private:
  static constexpr uint64_t empty = UINT64_MAX;

  size_t slot_of(uint64_t key) const {
    return static_cast<size_t>((key ^ key >> 29) * 0x9e3779b97f4a7c15ull >> shift_);
  }
  void resize(size_t slots) {
    keys_.assign(slots, empty);
    values_.resize(slots);
    shift_ = 64 - static_cast<uint32_t>(std::countr_zero(slots));
  }
  void grow() {
    std::vector<uint64_t> keys(std::move(keys_));
    std::vector<uint32_t> values(std::move(values_));
    resize(keys.size() * 2);
    size_ = 0;
    for (size_t slot = 0; slot < keys.size(); ++slot)
      if (keys[slot] != empty) (*this)[keys[slot]] = values[slot];
  }

  std::vector<uint64_t> keys_;
  std::vector<uint32_t> values_;
  size_t size_ = 0;
  uint32_t shift_ = 0;
};

}  // namespace dragoman
