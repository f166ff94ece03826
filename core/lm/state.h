// What a hypothesis remembers of its words: plain bytes without padding. Equal bytes mean equal scores for every
// continuation, so a decoder compares them with memcmp and hashes them as they are.
#pragma once

#include <cstdint>
#include <cstring>

#include "lm/ngram_trie.h"

namespace dragoman::lm {

// The context to the right: how the longest phrase of last words that can matter is found in the trie. steps[i] belongs
// to the last i + 1 words: the label that leads there and the back-off weight. Steps beyond length are zero.
struct State {
  struct Step {
    uint32_t label;
    float log10_backoff;
  };
  uint32_t length = 0;
  Step steps[max_order - 1] = {};

  // How many bytes a model of this order ever uses; the rest is zero.
  static constexpr size_t bytes(uint32_t order) { return sizeof(uint32_t) + (order - 1) * sizeof(Step); }
  bool operator==(const State& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
};
static_assert(sizeof(State) == State::bytes(max_order));

// The first words of a fragment whose left context is not known yet: their n-grams reach the fragment's left edge and
// could be longer. nodes[i] is where the first i + 1 words are in the trie.
struct LeftState {
  uint32_t length = 0;
  // Whether words beyond these are scored for good (up to back-offs): no context reaches past them.
  uint32_t full = 0;
  uint32_t nodes[max_order - 1] = {};

  static constexpr size_t bytes(uint32_t order) { return 2 * sizeof(uint32_t) + (order - 1) * sizeof(uint32_t); }
  bool operator==(const LeftState& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
};
static_assert(sizeof(LeftState) == LeftState::bytes(max_order));

// A stretch of words, or of words and fragments, scored as far as it can be by itself.
struct Fragment {
  LeftState left;
  State right;
  float log10_prob = 0;
};

// One scored word.
struct WordScore {
  float log10_prob;
  uint32_t ngram_length;  // of the longest n-gram found, the word included
  uint32_t node;          // that n-gram, in its level
};

}  // namespace dragoman::lm
