// Where the frequent words stand in the front of a source text, block by block: an inverted file with two bytes for
// each place. Matching asks for the places of the same few hundred words for every input sentence, most of them near
// the front because sentences lie in sample order; the suffix array has them in the order of what follows, this has
// them in that of the text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "text/vocabulary.h"

namespace dragoman::rules {

class FrontPlaces {
 public:
  static constexpr uint64_t max_size = uint64_t{4} << 20;

  // Whole sentences.
  class Block {
   public:
    uint64_t begin() const { return begin_; }
    uint64_t end() const { return begin_ + size_; }
    uint32_t size() const { return size_; }
    // Of a word that is told, counted from the block's begin, rising.
    std::span<const uint16_t> places(WordId word) const {
      return std::span(places_).subspan(starts_[word], starts_[word + 1] - starts_[word]);
    }

   private:
    friend class FrontPlaces;
    uint64_t begin_ = 0;
    uint32_t size_ = 0;
    std::vector<uint32_t> starts_;  // by word
    std::vector<uint16_t> places_;
  };

  // Of words [0, size) of the source text, where a sentence ends. Words have numbers by falling frequency: the places
  // of those below `told` are known. A block has at least `block_words` words, where there are more. Throws FormatError
  // if the text is damaged.
  FrontPlaces(const IndexedBitext& bitext, uint64_t size, uint32_t told = 512, uint32_t block_words = 1 << 15);

  uint64_t size() const { return blocks_.empty() ? 0 : blocks_.back().end(); }
  std::span<const Block> blocks() const { return blocks_; }
  bool tells(WordId word) const { return word < told_; }
  // Words below this number are told.
  uint32_t told() const { return told_; }

 private:
  Block make_block(uint64_t begin, std::span<const uint16_t> words) const;

  uint32_t told_;
  std::vector<Block> blocks_;
};

}  // namespace dragoman::rules
