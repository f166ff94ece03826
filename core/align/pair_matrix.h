// The cells of one sentence pair in both directions: what every model reads and where it leaves its posteriors.
#pragma once

#include <cstddef>

namespace dragoman::align {

// A pair with more cells than this gets no links: its matrices would not fit into any sensible memory.
inline constexpr size_t max_cells = size_t{1} << 24;

struct PairMatrix {
  size_t source_words;
  size_t target_words;
  // source_words x target_words each, row by source word: p(target | source) and p(source | target), which a model
  // turns into the posterior that the one generated the other.
  float* forward;
  float* backward;
  // p(target | NULL) by target word and p(source | NULL) by source word, likewise.
  float* null_forward;
  float* null_backward;

  size_t cells() const { return source_words * target_words; }
};

// Stands for the probability of pairs that are not in the table.
inline constexpr float absent_probability = 1e-9f;

}  // namespace dragoman::align
