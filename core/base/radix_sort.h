// Sorts by digits of 11 bits, the lowest first, and keeps the order of equals: of long lists with short keys, comparing
// would cost more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragoman {

// By key(item) >> from, a 64-bit number. Of `scratch` only the memory is used.
template <class Item, class Key>
void radix_sort(std::vector<Item>& items, std::vector<Item>& scratch, Key&& key, uint32_t from = 0) {
  constexpr uint32_t digit = 11;
  constexpr uint64_t mask = (1 << digit) - 1;
  uint64_t used = 0;
  for (const Item& item : items) used |= key(item);
  scratch.resize(items.size());
  for (uint32_t shift = from; shift < 64 && used >> shift != 0; shift += digit) {
    if ((used >> shift & mask) == 0) continue;
    uint32_t places[(1 << digit) + 1] = {};
    for (const Item& item : items) ++places[(key(item) >> shift & mask) + 1];
    for (uint32_t i = 0; i < mask; ++i) places[i + 1] += places[i];
    for (const Item& item : items) scratch[places[key(item) >> shift & mask]++] = item;
    items.swap(scratch);
  }
}

}  // namespace dragoman
