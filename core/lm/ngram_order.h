// All n-grams of a text in sorted order, from one sort of its positions.
//
// Positions are sorted by the words that end there, newest first: text[p], text[p-1], ... up to `order` words. After
// that every n-gram of every order is a run of neighbouring ranks, and two facts make estimation linear:
// - where a run begins shows in how many words a rank shares with the one before it;
// - for one word w, the ranks whose next word is w, taken in order, lead to the ranks of w's own block in order (the
//   step of a Burrows-Wheeler transform). So walking over all ranks visits every context with its continuations while
//   one cursor per word walks over the longer n-grams: no search, no hashing.
//
// The sort is `order` stable counting passes whose digits are whole words: O(order * positions), 12 to 16 bytes a
// position. They read the text at random, so a text that is not to lie in memory is sorted in pieces that do, whole
// sentences each, and the pieces are merged: how ties are ordered makes no difference to the result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"
#include "lm/ngram_trie.h"

namespace dragoman::lm {

// What a rank adds to the trie: n-grams of shared + 1 to depth words begin here. Depth is below the order only where
// the sentence begins.
struct RankShape {
  uint8_t shared : 4;
  uint8_t depth : 4;
};

struct NgramOrder {
  Array<RankShape> shape;            // by rank
  Array<WordId> next_word;           // the word after the position, by rank; sentence_begin after a sentence
  std::vector<uint32_t> word_begin;  // first rank of every word's block; vocabulary size + 1 of them

  explicit NgramOrder(ArrayMemory* memory) : shape(memory), next_word(memory) {}

  size_t size() const { return shape.size(); }
};

struct SortOptions {
  WordId vocabulary_size;
  uint32_t order;
  size_t threads = 1;
  // Words of a piece that is sorted at once; 0 for the whole text.
  size_t piece_size = 0;
};

// Takes the text, whose memory goes when it is no longer needed; the result is of the same kind of memory.
NgramOrder sort_ngrams(Array<WordId> text, const SortOptions& options, Monitor& monitor);

}  // namespace dragoman::lm
