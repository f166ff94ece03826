// The states of one sentence, each kept once and known by a number from then on: numbers are what hypotheses carry,
// compare and hash, and what answers are remembered by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "base/namespaces.h"
#include "base/numbering.h"

namespace dragoman::search {

class StateTable {
 public:
  explicit StateTable(size_t state_bytes) : state_bytes_(state_bytes) {}

  size_t bytes() const { return states_.size() + numbers_.bytes(); }
  // Valid until the next add.
  const std::byte* operator[](uint32_t number) const { return states_.data() + number * state_bytes_; }

  // The number of this state, the next one if it is new.
  uint32_t add(const void* state) {
    const auto [number, is_new] = numbers_.add(hash_bytes(state, state_bytes_), [&](uint32_t known) {
      return std::memcmp((*this)[known], state, state_bytes_) == 0;
    });
    const auto* bytes = static_cast<const std::byte*>(state);
    if (is_new) states_.insert(states_.end(), bytes, bytes + state_bytes_);
    return number;
  }

 private:
  size_t state_bytes_;
  std::vector<std::byte> states_;
  Numbering numbers_;
};

}  // namespace dragoman::search
