// Counts of neighbouring words, by the left word and by the right word. Memory goes with the different bigrams, 32
// bytes each while they are counted and 16 afterwards, and may be that of a scratch space; the text is gone through
// once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/monitor.h"
#include "nlm/format.h"

namespace dragoman::nlm {

struct BigramCounts {
  struct Neighbour {
    uint32_t word;
    uint32_t count;
  };
  // Neighbours of one word, sorted.
  struct Neighbours {
    std::vector<uint64_t> begin;
    Array<Neighbour> neighbours;

    explicit Neighbours(ArrayMemory* memory) : neighbours(memory) {}
    std::span<const Neighbour> of(uint32_t word) const {
      return std::span(neighbours).subspan(begin[word], begin[word + 1] - begin[word]);
    }
  };
  Neighbours after, before;      // words that follow, words that precede
  std::vector<uint64_t> counts;  // occurrences of each word, which are those as a left and as a right neighbour

  explicit BigramCounts(ArrayMemory* memory) : after(memory), before(memory) {}
};

// Of sentences one after another, each between sentence_begin and sentence_end, of ids below `size`; a sentence's end
// also precedes its first word. Throws InputError for what is no such text.
BigramCounts count_bigrams(const std::vector<std::span<const WordId>>& texts, uint32_t size, Monitor& monitor,
                           ArrayMemory* memory);

}  // namespace dragoman::nlm
