// A hash map from 64-bit keys to 32-bit values in one flat array, for the small maps that live as long as one input
// sentence: cleared and filled again without giving memory back. The key UINT64_MAX is not allowed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragoman {

class FlatMap {
 public:
  static constexpr uint32_t absent = UINT32_MAX;

  FlatMap() { resize(64); }

  size_t size() const { return size_; }
  void clear() {
    if (slots_.size() > 64 && size_ < slots_.size() / 16)
      resize(64);
    else
      slots_.assign(slots_.size(), Slot{});
    size_ = 0;
  }
  // Makes room for so many keys.
  void reserve(size_t count) {
    while (slots_.size() < 2 * count) grow();
  }
  uint32_t find(uint64_t key) const {
    for (size_t at = place_of(key);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key) return slots_[at].value;
      if (slots_[at].key == empty) return absent;
    }
  }
  // The value of the key, made absent if it is new.
  uint32_t& operator[](uint64_t key) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    size_t at = place_of(key);
    while (slots_[at].key != key && slots_[at].key != empty) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].key == empty) {
      slots_[at].key = key;
      ++size_;
    }
    return slots_[at].value;
  }

 private:
  static constexpr uint64_t empty = UINT64_MAX;
  struct Slot {
    uint64_t key = empty;
    uint32_t value = absent;
  };

  size_t place_of(uint64_t key) const {
    return static_cast<size_t>((key ^ key >> 29) * 0x9e3779b97f4a7c15ull >> shift_);
  }
  void resize(size_t count) {
    slots_.assign(count, Slot{});
    shift_ = 64 - static_cast<uint32_t>(std::countr_zero(count));
  }
  void grow() {
    std::vector<Slot> old(std::move(slots_));
    resize(old.size() * 2);
    size_ = 0;
    for (const Slot& slot : old)
      if (slot.key != empty) (*this)[slot.key] = slot.value;
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
  uint32_t shift_ = 0;
};

}  // namespace dragoman
