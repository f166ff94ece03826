// A small bitmap that says "surely not" about most words in one load; the rest must be looked up.
#pragma once

#include <array>
#include <cstdint>

#include "corpus/vocabulary.h"

namespace dragoman {

class WordFilter {
 public:
  void clear() { bits_.fill(0); }
  void add(WordId word) { bits_[slot(word) >> 6] |= uint64_t{1} << (slot(word) & 63); }
  bool may_hold(WordId word) const { return bits_[slot(word) >> 6] >> (slot(word) & 63) & 1; }

 private:
  static uint32_t slot(WordId word) { return word * 0x9e3779b1u >> 20; }
  std::array<uint64_t, 64> bits_{};
};

}  // namespace dragoman
