// A hash map from 64-bit keys to 32-bit values in one flat array, cleared and filled again without giving memory
// back, as the small maps are that live as long as one input sentence.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/probe_table.h"

namespace dragoman {

class FlatMap {
 public:
  static constexpr uint32_t absent = UINT32_MAX;

  size_t size() const { return table_.size(); }
  size_t bytes() const { return table_.bytes(); }
  void clear() { table_.clear(); }
  // Makes room for so many keys.
  void reserve(size_t count) { table_.reserve(count); }
  uint32_t find(uint64_t key) const {
    const Slot* slot = table_.find(mixed(key), [&](const Slot& candidate) { return candidate.key == key; });
    return slot ? slot->value : absent;
  }
  // The value of the key, made absent if it is new.
  uint32_t& operator[](uint64_t key) {
    const auto [slot, is_new] = table_.add(mixed(key), [&](const Slot& candidate) { return candidate.key == key; });
    if (is_new) {
      slot.key = key;
      slot.value = absent;
    }
    return slot.value;
  }

 private:
  static uint64_t mixed(uint64_t key) { return (key ^ key >> 29) * 0x9e3779b97f4a7c15ull; }
  struct Slot {
    uint64_t key = 0;
    uint32_t value = 0;
    uint32_t age = 0;

    static constexpr size_t load = 4;
    bool used(uint32_t now) const { return age == now; }
    uint64_t hash() const { return mixed(key); }
  };

  ProbeTable<Slot> table_;
};

}  // namespace dragoman
