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
#include <utility>
#include <vector>

#include "base/prefetch.h"

namespace dragoman::nlm {

// One value for each key, open addressing.
template <class Value>
class KeyTable {
 public:
  explicit KeyTable(size_t most_bytes)
      : most_(std::bit_floor(std::max(most_bytes / sizeof(Entry), least))), entries_(least) {}

  // In constant time. A table that was much too large for what it held becomes smaller.
  void forget() {
    if (entries_.size() > least && count_ * 16 < entries_.size())
      entries_ = std::vector<Entry>(entries_.size() / 2);
    else if (++age_ == 0)
      std::ranges::fill(entries_, Entry{}), age_ = 1;
    count_ = 0;
  }
  void prefetch(uint64_t key) const { dragoman::prefetch(&entries_[key & (entries_.size() - 1)]); }
  // nullptr if it is not known; else good until the next insertion.
  Value* find(uint64_t key) {
    for (size_t at = key;; ++at) {
      Entry& entry = entries_[at & (entries_.size() - 1)];
      if (entry.age != age_) return nullptr;
      if (entry.key == key) return &entry.value;
    }
  }
  // For a key that is not here.
  void insert(uint64_t key, Value value) {
    if (is_full(count_, entries_.size())) {
      if (entries_.size() < most_)
        grow();
      else
        forget();
    }
    place(key, value);
    ++count_;
  }

 private:
  static constexpr size_t least = 256;
  struct Entry {
    uint64_t key = 0;
    Value value{};
    uint32_t age = 0;  // of another sentence: empty
  };
  static_assert(sizeof(Entry) == 16);

  static bool is_full(size_t count, size_t size) { return count >= size / 8 * 5; }
  void place(uint64_t key, Value value) {
    size_t at = key & (entries_.size() - 1);
    while (entries_[at].age == age_) at = (at + 1) & (entries_.size() - 1);
    entries_[at] = {key, value, age_};
  }
  void grow() {
    const std::vector<Entry> before = std::exchange(entries_, std::vector<Entry>(entries_.size() * 2));
    for (const Entry& entry : before)
      if (entry.age == age_) place(entry.key, entry.value);
  }

  size_t most_;
  std::vector<Entry> entries_;
  size_t count_ = 0;
  uint32_t age_ = 1;
};

// Stretches of bytes of one size, numbered as they came; each begins a line of memory.
class VectorTable {
 public:
  static constexpr uint32_t absent = UINT32_MAX;
  static constexpr size_t line = 64;

  VectorTable(size_t bytes_each, size_t most_bytes)
      : lines_each_((bytes_each + line - 1) / line),
        most_(static_cast<uint32_t>(std::min<size_t>(most_bytes / (lines_each_ * line), absent - 1))),
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
    if (size_ / block == blocks_.size()) blocks_.push_back(std::make_unique_for_overwrite<Line[]>(block * lines_each_));
    numbers_.insert(key, size_);
    return size_++;
  }
  std::byte* at(uint32_t number) const { return blocks_[number / block][number % block * lines_each_].bytes; }

 private:
  static constexpr uint32_t block = 256;
  struct alignas(line) Line {
    std::byte bytes[line];
  };

  size_t lines_each_;
  uint32_t most_;
  uint32_t size_ = 0;
  KeyTable<uint32_t> numbers_;
  std::vector<std::unique_ptr<Line[]>> blocks_;
};

}  // namespace dragoman::nlm
