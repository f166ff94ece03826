// Counts of neighbouring words, by the left word and by the right word.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"

namespace dragoman::nlm {

struct BigramCounts {
  struct Neighbour {
    uint32_t word;
    uint32_t count;
  };
  // Neighbours of one word, sorted.
  struct Neighbours {
    std::vector<uint64_t> begin;
    std::vector<Neighbour> neighbours;
    std::span<const Neighbour> of(uint32_t word) const {
      return std::span(neighbours).subspan(begin[word], begin[word + 1] - begin[word]);
    }
  };
  Neighbours after, before;      // words that follow, words that precede
  std::vector<uint64_t> counts;  // occurrences of each word, which are those as a left and as a right neighbour
};

// Of sentences one after another, each between sentence_begin and sentence_end, of ids below `size`; a sentence's end
// also precedes its first word. Throws InputError for what is no such text.
BigramCounts count_bigrams(std::span<const int32_t> ids, uint32_t size, size_t threads, Monitor& monitor);

}  // namespace dragoman::nlm
