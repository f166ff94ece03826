// Distinct 64-bit hashes, 8 bytes a slot. The hash 0 passes for 1: as hashes go, that is as good as another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash.h"
#include "base/probe_table.h"

namespace dragoman {

class HashSet {
 public:
  size_t size() const { return table_.size(); }
  size_t bytes() const { return table_.bytes(); }
  // Whether it is new.
  bool insert(uint64_t hash) {
    const Slot wanted{hash == 0 ? 1 : hash};
    const auto [slot, is_new] =
        table_.add(wanted.hash(), [&](Slot candidate) { return candidate.value == wanted.value; });
    if (is_new) slot = wanted;
    return is_new;
  }

 private:
  struct Slot {
    uint64_t value = 0;

    static constexpr size_t load = 6;
    bool used(uint32_t) const { return value != 0; }
    uint64_t hash() const { return mix(value); }
  };

  ProbeTable<Slot> table_;
};

}  // namespace dragoman
