// Which word pairs are worth a place in the table: two iterations of IBM 1 (Brown et al. 1993) over all pairs that
// occur in a sentence pair together, without ever storing them all. One word's row at a time is held in a dense array;
// its sentences are found through postings and walked over again whenever the row is needed. The normalizer of a
// generated word needs all rows that meet in its sentence, so the target side's are made in a pass by target word
// first. Pairs whose expected count, with what the words' classes add to it (maximization.h), stays below a threshold
// in both directions are then left out for good.
//
// Time: five walks over all cells (source words x target words of every pair), about a nanosecond each. Memory: the
// kept pairs, four bytes a target word of the text, and 64 MB of postings: words are looked up in rounds. Every row is
// one thread's own, so the result is the same bits for any number of threads.
#pragma once

#include "align/bitext.h"
#include "align/pair_table.h"
#include "base/monitor.h"

namespace dragoman::align {

struct CooccurrenceOptions {
  // Pairs with smaller smoothed counts in both directions are dropped.
  float min_count = 0.05f;
  // Sentences longer than this, on either side, are not learned from.
  size_t max_words = 200;
  size_t threads = 1;
  // Of one side, because places in a text are numbers of 32 bits; tests alone change it.
  uint64_t most_tokens = UINT32_MAX;
};

struct Cooccurrences {
  PairTable table;  // probabilities still unset
  PairCounts counts;
};

// Whether models learn from this pair: neither side empty or longer than max_words.
inline bool trainable(const Bitext& bitext, size_t pair, size_t max_words) {
  const size_t source = bitext.source.length(pair), target = bitext.target.length(pair);
  return source > 0 && target > 0 && source <= max_words && target <= max_words;
}

Cooccurrences find_cooccurrences(const Bitext& bitext, const CooccurrenceOptions& options, Monitor& monitor);

}  // namespace dragoman::align
