// A small table that says "surely not" about most words in one load; the rest must be looked up. About the most
// frequent words, which come most often and have the smallest numbers, it is never wrong.
#pragma once

#include <array>
#include <cstdint>

#include "base/namespaces.h"
#include "text/vocabulary.h"

namespace dragoman::rules {

class WordFilter {
 public:
  void clear() { bits_.fill(0); }
  void add(WordId word) { bits_[slot(word)] = 1; }
  bool may_hold(WordId word) const { return bit(word) != 0; }
  // The same as 0 or 1.
  uint32_t bit(WordId word) const { return bits_[slot(word)]; }

 private:
  static uint32_t slot(WordId word) { return word % 4096; }
  std::array<uint8_t, 4096> bits_{};
};

}  // namespace dragoman::rules
