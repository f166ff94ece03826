// The front of a source text with a byte for each word: the number of a frequent word, or `rare` for any other. Numbers
// go by falling frequency, so that on most texts a byte tells half of the words. Matching reads the words around tens
// of thousands of places for every input sentence, most of them near the front because sentences lie in sample order;
// bytes are read several times as fast as packed numbers, and all occurrences of a frequent word in order by memchr.
#pragma once

#include <cstdint>
#include <vector>

#include "base/packed_array.h"
#include "corpus/vocabulary.h"

namespace dragoman {

class FrontText {
 public:
  static constexpr uint8_t rare = 255;
  static constexpr uint64_t max_size = uint64_t{4} << 20;
  // Separators after the end, so that who looks around a word of a sentence may read past the end of it.
  static constexpr uint64_t padding = 256;

  // Words [0, size) of a packed text; size is at most max_size, and where a sentence ends.
  FrontText(const PackedArray& text, uint64_t size);

  uint64_t size() const { return words_.size() - padding; }
  const uint8_t* words() const { return words_.data(); }
  // Adds the positions of a word in [begin, end), rising.
  void find(uint8_t word, uint64_t begin, uint64_t end, std::vector<uint64_t>& positions) const;
  // Asks for the words at a position before they are needed.
  void fetch([[maybe_unused]] uint64_t position) const {
#if defined(__GNUC__)
    __builtin_prefetch(words_.data() + position);
#endif
  }
  static bool tells(WordId word) { return word < rare; }

 private:
  std::vector<uint8_t> words_;
};

}  // namespace dragoman
