// Numbers things from 0 on as they come, so that equal ones have one number. The things themselves are kept elsewhere:
// `same(number)` says whether the thing at hand is the one of that number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/probe_table.h"

namespace dragoman {

class Numbering {
 public:
  static constexpr uint32_t absent = UINT32_MAX;

  size_t size() const { return table_.size(); }
  size_t bytes() const { return table_.bytes(); }
  void clear() { table_.clear(); }
  // Makes room for so many.
  void reserve(size_t count) { table_.reserve(count); }

  template <class Same>
  uint32_t find(uint64_t hash, Same&& same) const {
    const Slot* slot = table_.find(hash, equal(hash, same));
    return slot ? slot->number_and_1 - 1 : absent;
  }
  // The number, and whether it is new: then it is the size before.
  template <class Same>
  std::pair<uint32_t, bool> add(uint64_t hash, Same&& same) {
    const auto [slot, is_new] = table_.add(hash, equal(hash, same));
    if (is_new) slot = {static_cast<uint32_t>(hash >> 32), static_cast<uint32_t>(table_.size())};
    return {slot.number_and_1 - 1, is_new};
  }

 private:
  struct Slot {
    uint32_t tag = 0;  // the upper half of the hash: few things that differ are looked at, and none to grow
    uint32_t number_and_1 = 0;

    static constexpr size_t load = 5;
    bool used(uint32_t) const { return number_and_1 != 0; }
    uint64_t hash() const { return uint64_t{tag} << 32; }
  };
  template <class Same>
  static auto equal(uint64_t hash, Same& same) {
    return [tag = static_cast<uint32_t>(hash >> 32), &same](const Slot& slot) {
      return slot.tag == tag && same(slot.number_and_1 - 1);
    };
  }

  ProbeTable<Slot> table_;
};

}  // namespace dragoman
