// Interpolated modified Kneser-Ney (Chen & Goodman 1999; computed as lmplz does, Heafield et al. 2013).
//
// Adjusted count a(g): occurrences for n-grams of the highest order and those that begin a sentence, else the number
// of different words to the left. For order n with t_i n-grams of adjusted count i:
//   D(i) = i - (i+1) Y t_{i+1} / t_i  for i = 1, 2, 3+,   Y = t_1 / (t_1 + 2 t_2)
//   p(w | h) = (a(hw) - D(a(hw))) / sum_x a(hx)  +  gamma(h) p(w | h without its first word)
//   gamma(h) = (sum_x D(a(hx)) + a of the n-grams cut off) / sum_x a(hx)
// and the unigrams interpolate with the uniform distribution over all words but <s>, so that <unk> has a share. gamma
// is the back-off weight. Time and memory are linear in the text: see ngram_order.h. If the text came with scratch
// space, all arrays that grow with it lie there; what stays in memory grows with the number of different words.
#pragma once

#include <array>
#include <vector>

#include "base/monitor.h"
#include "lm/ngram_trie.h"
#include "lm/text_encoder.h"

namespace dragoman::lm {

// D(1), D(2), D(3+) of one order.
using Discounts = std::array<double, 3>;

struct EstimateOptions {
  uint32_t order = 5;
  // N-grams that occur less often are left out, by order; a missing value repeats the last one. All unigrams stay.
  std::vector<uint64_t> min_counts = {1};
  // Taken for an order whose own discounts cannot be estimated; without it such an order is an error.
  std::optional<Discounts> discount_fallback = Discounts{0.5, 1, 1.5};
  // Keep how often each context occurred, as pruning wants to know.
  bool keep_counts = false;
  size_t threads = 1;
};

struct Estimate {
  std::shared_ptr<ScratchSpace> scratch;  // where the trie lies, if not in memory
  NgramTrie trie;
  std::vector<Discounts> discounts;      // by order
  std::vector<bool> discounts_fallback;  // whether they are the fallback
};

Estimate estimate(EncodedText text, const EstimateOptions& options, Monitor& monitor);

}  // namespace dragoman::lm
