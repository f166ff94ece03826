// A few sentence pairs, indexed in memory like the trained bitext: its own suffix array, the links of its pairs
// counted, and what their target side says of the language. Immutable; pairs that come later form further segments, and
// small segments are merged into larger ones.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/link.h"
#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/link_counts.h"
#include "index/ngram_counts.h"

namespace dragoman::index {

struct IndexedPair {
  uint64_t stable_id;
  std::vector<WordId> source, target;
  Links links;
  MemoryId memory = unnamed_memory;
};

// The pair that a sentence of a bitext is. Throws FormatError if its words or links are damaged.
IndexedPair read_pair(const IndexedBitext& bitext, uint64_t sentence);

struct Segment {
  IndexedBitext bitext;
  LinkCounts links;
  NgramCounts ngrams;
};

// Sorts the pairs into sample order and indexes them.
std::shared_ptr<const Segment> build_segment(std::vector<IndexedPair>& pairs, WordId source_vocabulary,
                                             WordId target_vocabulary, uint64_t seed);

}  // namespace dragoman::index
