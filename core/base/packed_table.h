// A hash table in a section of a container, so that opening builds nothing: packed numbers from 1 on, 0 in slots that
// are free. What is numbered lies elsewhere: `same(number)` says whether the thing at hand is the one of that number.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "base/packed_array.h"
#include "base/probe_table.h"

namespace dragoman {

class PackedTable {
 public:
  PackedTable() = default;
  // Throws FormatError if the section has not the size of a table for so many numbers.
  PackedTable(const Container& container, std::string_view section, uint64_t count, uint64_t largest)
      : slots_(container, section, slots_for(count), bits_for(largest)) {}
  explicit PackedTable(PackedArray slots) : slots_(slots) {}

  // Fewer than two thirds of the slots are used.
  static uint64_t slots_for(uint64_t count) { return std::bit_ceil(count + count / 2 + 1); }

  std::span<const std::byte> bytes() const { return slots_.bytes(); }
  // 0 if there is none.
  template <class Same>
  uint64_t find(uint64_t hash, Same&& same) const {
    uint64_t left = std::min(slots_.size(), most_probes), number = 0;
    probe(hash & (slots_.size() - 1), slots_.size() - 1, [&](size_t at) {
      if (left-- == 0) return number = 0, true;
      number = slots_[at];
      return number == 0 || same(number);
    });
    return number;
  }

 private:
  // A table two thirds full has no stretch of used slots that is nearly so long; one that a stranger made might be
  // full.
  static constexpr uint64_t most_probes = 1024;

  PackedArray slots_;
};

class PackedTableWriter {
 public:
  PackedTableWriter(uint64_t count, uint64_t largest) : slots_(PackedTable::slots_for(count), bits_for(largest)) {}

  // For numbers that are not here, at most `count` of them.
  void add(uint64_t hash, uint64_t number) {
    const PackedArray view = slots_.view();
    slots_.set(probe(hash & (view.size() - 1), view.size() - 1, [&](size_t at) { return view[at] == 0; }), number);
  }
  PackedTable view() const { return PackedTable(slots_.view()); }

 private:
  PackedWriter slots_;
};

}  // namespace dragoman
