// The positions of a text in random order, so that only a part of the text need be in memory: its pages are put into
// random order and taken a group at a time, and positions are shuffled within a group. A group is four million
// positions, so that most texts are one, which is shuffled as a whole. The same order whatever memory there is.
#pragma once

#include <algorithm>
#include <cstdint>

#include "nlm/shuffled_range.h"

namespace dragoman::nlm {

class TextOrder {
 public:
  static constexpr uint64_t page_size = 4096, group_size = uint64_t{1} << 22;

  TextOrder(uint64_t size, uint64_t seed)
      : size_(size), seed_(seed), full_pages_(size / page_size), pages_(full_pages_, ~seed), group_(0, seed) {}

  uint64_t size() const { return size_; }
  // Quickest where places follow one another.
  uint64_t operator[](uint64_t place) const {
    const uint64_t number = place / group_size, begin = number * group_size;
    const uint64_t length = std::min(group_size, size_ - begin);
    if (number != number_ || group_.size() != length) {
      number_ = number;
      group_ = ShuffledRange(length, seed_ + number * 0x9e3779b97f4a7c15ull);
    }
    const uint64_t shuffled = begin + group_[place - begin], page = shuffled / page_size;
    if (size_ <= group_size || page >= full_pages_) return shuffled;
    return pages_[page] * page_size + shuffled % page_size;
  }

 private:
  uint64_t size_, seed_, full_pages_;
  ShuffledRange pages_;
  mutable uint64_t number_ = 0;
  mutable ShuffledRange group_;
};

}  // namespace dragoman::nlm
