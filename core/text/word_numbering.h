// Numbers words in the order in which they first appear. Strings lie back to back; memory is about 25 bytes a word and
// its letters, and a look-up one hash and one or two probes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "base/numbering.h"

namespace dragoman::text {

class WordNumbering {
 public:
  static constexpr uint32_t absent = Numbering::absent;

  uint32_t size() const { return static_cast<uint32_t>(begins_.size() - 1); }
  // The number of a word, or `absent`.
  uint32_t find(std::string_view word) const;
  // The number of a word, which is added if it is new.
  uint32_t number(std::string_view word);
  // Numbers have 32 bits, with room for marks; tests alone change how many there may be.
  void set_most_words(uint32_t most) { most_words_ = most; }
  std::string_view word(uint32_t number) const {
    return std::string_view(strings_).substr(begins_[number], begins_[number + 1] - begins_[number]);
  }

 private:
  uint32_t most_words_ = UINT32_MAX - 64;
  Numbering numbers_;
  std::string strings_;
  std::vector<uint64_t> begins_{0};
};

// Numbers of the words that were counted at all, by falling count, ties by bytes: the order of ids in every file.
std::vector<uint32_t> by_falling_count(const WordNumbering& words, std::span<const uint64_t> counts);

}  // namespace dragoman::text
