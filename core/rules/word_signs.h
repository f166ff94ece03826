// Words that are looked for, each with a few bits: the signs of all words of a window together say which of them it may
// hold. Words share places in the table, so that it may say too much and never too little; about the most frequent
// words, which come most often and have the smallest numbers, it says the truth.
#pragma once

#include <array>
#include <cstdint>

#include "base/namespaces.h"
#include "text/vocabulary.h"

namespace dragoman::rules {

class WordSigns {
 public:
  void clear() { signs_.fill(0); }
  void add(WordId word, uint32_t sign) { signs_[word % size] |= sign; }
  uint32_t operator[](WordId word) const { return signs_[word % size]; }

 private:
  static constexpr uint32_t size = 1024;
  std::array<uint32_t, size> signs_{};
};

}  // namespace dragoman::rules
