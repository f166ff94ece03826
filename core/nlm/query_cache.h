// What a session remembers. Keys are 64-bit hashes that stand for what they were made of: with a hundred thousand
// different keys in a session, the chance that any two are the same is below one in a billion. Tables begin small and
// grow with what a sentence asks, so that short sentences stay in the processor's caches and take little memory; one
// that has reached its bound forgets everything and begins again. So what is known depends on nothing but the queries.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/probe_table.h"

namespace dragoman::nlm {

// One value for each key. Forgets in constant time.
template <class Value>
class KeyTable {
 public:
  explicit KeyTable(size_t most_bytes) : most_(std::bit_floor(std::max(most_bytes / sizeof(Slot), least))) {}

  void forget() { table_.clear(); }
  void prefetch(uint64_t key) const { table_.prefetch(key); }
  // nullptr if it is not known; else good until the next insertion.
  Value* find(uint64_t key) {
    Slot* slot = table_.find(key, [&](const Slot& probed) { return probed.key == key; });
    return slot ? &slot->value : nullptr;
  }
  // For a key that is not here.
  void insert(uint64_t key, Value value) {
    if (table_.is_full() && table_.slots() >= most_) forget();
    Slot& slot = table_.add(key, [](const Slot&) { return false; }).first;
    slot.key = key;
    slot.value = value;
  }

 private:
  static constexpr size_t least = 256;
  struct Slot {
    uint64_t key = 0;
    Value value{};
    uint32_t age = 0;

    static constexpr size_t load = 5;
    bool used(uint32_t now) const { return age == now; }
    uint64_t hash() const { return key; }
  };
  static_assert(sizeof(Slot) == 16);

  size_t most_;
  ProbeTable<Slot> table_{least};
};

// Stretches of bytes of one size, numbered as they came; each begins a line of memory.
class VectorTable {
 public:
  static constexpr uint32_t absent = UINT32_MAX;
  static constexpr size_t line = 64;

  VectorTable(size_t vector_bytes, size_t most_bytes)
      : lines_per_vector_((vector_bytes + line - 1) / line),
        most_(static_cast<uint32_t>(std::min<size_t>(most_bytes / (lines_per_vector_ * line), absent - 1))),
        numbers_(SIZE_MAX / 2) {}

  uint32_t size() const { return size_; }
  // Whether as many more would stay within the bound; otherwise it is time to forget.
  bool has_room(uint32_t more) const { return size_ + more <= most_; }
  void forget() {
    numbers_.forget();
    size_ = 0;
  }
  void prefetch(uint64_t key) const { numbers_.prefetch(key); }
  uint32_t find(uint64_t key) {
    const uint32_t* number = numbers_.find(key);
    return number ? *number : absent;
  }
  uint32_t add(uint64_t key) {
    if (size_ / block == blocks_.size())
      blocks_.push_back(std::make_unique_for_overwrite<Line[]>(block * lines_per_vector_));
    numbers_.insert(key, size_);
    return size_++;
  }
  std::byte* at(uint32_t number) const { return blocks_[number / block][number % block * lines_per_vector_].bytes; }

 private:
  static constexpr uint32_t block = 256;
  struct alignas(line) Line {
    std::byte bytes[line];
  };

  size_t lines_per_vector_;
  uint32_t most_;
  uint32_t size_ = 0;
  KeyTable<uint32_t> numbers_;
  std::vector<std::unique_ptr<Line[]>> blocks_;
};

}  // namespace dragoman::nlm
