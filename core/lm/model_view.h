// The compact trie as the query loops see it: plain pointers into a mapped file, checked once when it was opened.
//
// Each level above the unigrams is one or more parts. A part holds the nodes whose label needs a certain number of
// bits, as records of label, probability and back-off packed back to back, and the parents of its nodes as an
// Elias-Fano sequence. A node's label is its word at the second level, and from the third on the place its context has
// among the context's siblings: a number that is small, because few words precede a given phrase, and that the state
// already knows, because the context was looked up when its last word was scored. (Pibiri & Venturini 2017 map words to
// such places for contexts of one or two words; with a state, the whole context costs nothing.)
#pragma once

#include <array>
#include <cstdint>

#include "lm/ngram_trie.h"

namespace dragoman::lm {

inline constexpr size_t max_parts = 2;
// The width that stands for an unquantised float.
inline constexpr uint32_t float_bits = 32;

struct UnigramRecord {
  float log10_prob;
  float log10_backoff;
  uint32_t first_child;
};

// Sorted parents of nodes 0..count-1, as Elias-Fano: the upper bits in unary (one 1 per node, one 0 after the nodes of
// each bucket of parents), the lower bits packed. The unary bits lie in lines of 64 bytes that open with the number of
// zeros before them, so that finding a zero costs one look at the samples and one line.
struct ParentsView {
  static constexpr uint32_t line_words = 8;
  static constexpr uint32_t line_bits = line_words * 64 - 32;

  const uint64_t* lines = nullptr;
  const uint32_t* samples = nullptr;  // line of every 2^sample_shift-th zero, and the last line
  const uint8_t* lows = nullptr;
  uint32_t line_count = 0;
  uint32_t buckets = 0;
  uint32_t low_bits = 0;
  uint32_t sample_shift = 0;
};

struct PartView {
  static constexpr uint32_t top_shift = 5;
  // How many tops a part has.
  static constexpr uint64_t tops_for(uint64_t count) { return (count + (1u << top_shift) - 1) >> top_shift; }

  const uint8_t* records = nullptr;
  uint32_t record_bits = 0;
  uint32_t label_bits = 0;
  const uint8_t* tops = nullptr;  // label of every 32nd record, packed: a long list is searched there first
  uint32_t first_node = 0;        // number of nodes of the level in the parts before
  uint32_t count = 0;
  ParentsView parents;  // unused where the level above points to its children
};

// Unigrams always point to their children; bigrams do where they are few among many longer n-grams, because the way
// from a bigram to its trigrams is the busiest: a field of child_bits ends their records, and one more record follows.
struct LevelView {
  std::array<PartView, max_parts> parts;
  uint32_t part_count = 0;
  uint32_t count = 0;
  uint32_t prob_bits = 0;
  uint32_t backoff_bits = 0;  // 0 at the highest order
  uint32_t child_bits = 0;
  const float* probs = nullptr;     // 2^prob_bits of them, unless floats are stored
  const float* backoffs = nullptr;  // 2^backoff_bits of them; the first is no_extension
};

struct ModelView {
  uint32_t order = 0;
  WordId vocabulary_size = 0;
  const UnigramRecord* unigrams = nullptr;  // one more than words
  std::array<LevelView, max_order> levels;  // levels[0] is unused
};

}  // namespace dragoman::lm
