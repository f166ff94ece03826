// Makes a trie of n-grams listed in any order, adding the prefixes and suffixes that are missing.
#pragma once

#include <cstdint>
#include <vector>

#include "base/monitor.h"
#include "lm/ngram_trie.h"

namespace dragoman::lm {

struct NgramList {
  size_t length;
  std::vector<WordId> words;  // `length` per n-gram, oldest first; unused for unigrams, which are indexed by id
  Array<float> log10_prob;
  Array<float> log10_backoff;
  std::vector<uint64_t> line;  // where each came from, to name one that is listed twice

  size_t size() const { return log10_prob.size(); }
};

// lists[k] has the (k+1)-grams. Throws InputError for an n-gram that is listed twice.
NgramTrie close_ngrams(Vocabulary words, std::vector<NgramList> lists, Monitor& monitor);

}  // namespace dragoman::lm
