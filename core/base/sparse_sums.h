// Arrays of whole numbers that are mostly zero, as bytes: how many are not, then for each how far it stands from the
// one before, and its value. What one process has summed another adds to its own, in any order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/varint.h"

namespace dragoman {

template <class Number>
void append_sums(std::vector<uint8_t>& out, std::span<const Number> sums) {
  uint64_t count = 0;
  for (Number sum : sums) count += sum != 0;
  append_varint(out, count);
  size_t next = 0;
  for (size_t at = 0; at < sums.size(); ++at) {
    if (sums[at] == 0) continue;
    append_varint(out, at - next);
    append_varint(out, static_cast<uint64_t>(sums[at]));
    next = at + 1;
  }
}

// False if the bytes are not such an array of at most as many numbers; some may have been added then.
template <class Number>
bool add_sums(VarintReader& in, std::span<Number> sums) {
  uint64_t count = 0, next = 0;
  if (!in.read(count)) return false;
  for (; count > 0; --count) {
    uint64_t gap = 0, value = 0;
    if (!in.read(gap) || !in.read(value) || gap >= sums.size() - next) return false;
    sums[next + gap] += static_cast<Number>(value);
    next += gap + 1;
  }
  return true;
}

}  // namespace dragoman
