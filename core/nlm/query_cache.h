// Bounded caches of a session. Keys are 64-bit hashes that stand for what they were made of: with a hundred thousand
// different keys in a session, the chance that any two are the same is below one in a billion. A full set gives up
// the entry that the new key's bits choose, so what a cache holds depends on nothing but the queries.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragoman::nlm {

class KeySets {
 public:
  static constexpr uint32_t ways = 4;
  static constexpr uint32_t absent = UINT32_MAX;

  // `slots` is rounded down to a power of two, at least one set.
  explicit KeySets(size_t slots) : keys_(std::bit_floor(slots < ways ? size_t{ways} : slots)) {}

  size_t slots() const { return keys_.size(); }
  // Key 0 is an empty slot; a hash is never 0 in practice, and if it were it would only be forgotten.
  uint32_t find(uint64_t key) const {
    const uint32_t set = set_of(key);
    for (uint32_t way = 0; way < ways; ++way)
      if (keys_[set + way] == key) return set + way;
    return absent;
  }
  // The slot for a key that is not here.
  uint32_t insert(uint64_t key) {
    const uint32_t set = set_of(key);
    uint32_t chosen = set + static_cast<uint32_t>(key >> 62);
    for (uint32_t way = ways; way-- > 0;)
      if (keys_[set + way] == 0) chosen = set + way;
    keys_[chosen] = key;
    return chosen;
  }
  void prefetch(uint64_t key) const { __builtin_prefetch(keys_.data() + set_of(key)); }

 private:
  uint32_t set_of(uint64_t key) const { return static_cast<uint32_t>(key & (keys_.size() - 1)) & ~(ways - 1); }

  std::vector<uint64_t> keys_;
};

// One float for each key; a set is one line of memory.
class ValueCache {
 public:
  static constexpr size_t set_bytes = 64;

  explicit ValueCache(size_t bytes) : sets_(std::bit_floor(bytes < set_bytes ? size_t{1} : bytes / set_bytes)) {}

  void prefetch(uint64_t key) const { __builtin_prefetch(&set_of(key)); }
  const float* find(uint64_t key) const {
    const Set& set = set_of(key);
    for (uint32_t way = 0; way < ways; ++way)
      if (set.keys[way] == key) return &set.values[way];
    return nullptr;
  }
  // For a key that is not here.
  void insert(uint64_t key, float value) {
    Set& set = const_cast<Set&>(set_of(key));
    uint32_t chosen = static_cast<uint32_t>((key >> 32) % ways);
    for (uint32_t way = ways; way-- > 0;)
      if (set.keys[way] == 0) chosen = way;
    set.keys[chosen] = key;
    set.values[chosen] = value;
  }

 private:
  static constexpr uint32_t ways = 5;
  struct alignas(set_bytes) Set {
    uint64_t keys[ways] = {};
    float values[ways] = {};
  };
  static_assert(sizeof(Set) == set_bytes);
  const Set& set_of(uint64_t key) const { return sets_[key & (sets_.size() - 1)]; }

  std::vector<Set> sets_;
};

}  // namespace dragoman::nlm
