// One training sentence pair with its links laid out so that a span's consistency is a comparison of two differences:
// a source span is consistent if it has as many links as its target projection has. Who goes through the text in its
// order decodes each sentence when its turn comes; who does not keeps decoded sentences in a bounded cache.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "base/interval.h"
#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/snapshot.h"

namespace dragoman::index {

struct AlignedSentence {
  TextSpan source, target;
  const uint16_t* source_links;  // links before each source word, and in all
  const uint16_t* target_links;  // the same for target words
  const uint16_t* targets;       // target positions of the links, by source word, rising
  const uint16_t* firsts;        // the first target position of each source word, or `none`
  const uint16_t* ends;          // the one after its last, or 0

  static constexpr uint16_t none = UINT16_MAX;

  bool aligned(uint32_t word) const { return ends[word] != 0; }
  bool target_aligned(uint32_t word) const { return target_links[word] != target_links[word + 1]; }
  Span project(uint32_t word) const { return {firsts[word], ends[word]}; }
  Span project(uint32_t begin, uint32_t end) const {
    Span all = Span::nothing();
    for (uint32_t word = begin; word < end; ++word) all.include(project(word));
    return all;
  }
  // Whether no word of the projection of this source span is linked to a word outside the span.
  bool consistent(uint32_t begin, uint32_t end, const Span& projection) const {
    return source_links[end] - source_links[begin] == target_links[projection.end] - target_links[projection.begin];
  }
};

// Decodes one sentence pair at a time into scratch space of its own.
class SentenceReader {
 public:
  // Points into the reader; valid until the next call.
  AlignedSentence read(const IndexedBitext& bitext, uint64_t sentence);

 private:
  std::vector<uint16_t> numbers_;
};

class SentenceCache {
 public:
  explicit SentenceCache(const Snapshot& snapshot);

  // Points into the cache; valid until the next call.
  AlignedSentence get(SentencePlace sentence);

 private:
  // What a record begins with; the numbers of an AlignedSentence follow.
  struct Head {
    uint64_t source_begin, target_begin;
    uint32_t source_length, target_length;
  };
  static constexpr size_t head_numbers = sizeof(Head) / sizeof(uint16_t);
  // By sentence, where its record begins in units of 4 numbers, plus 1, or 0. A plain table, because this is asked for
  // every match; it comes zeroed from the system, and only the parts that are used take memory, most at the front.
  struct Release {
    void operator()(uint32_t* places) const { std::free(places); }
  };

  uint32_t place_of(SentencePlace sentence) const {
    if (sentence < table_size_) return places_[sentence];
    const uint32_t place = far_places_.find(sentence);
    return place == FlatMap::absent ? 0 : place;
  }
  size_t add(SentencePlace sentence);
  size_t place_for(SentencePlace sentence, size_t need);

  const Snapshot& snapshot_;
  uint64_t table_size_;  // the sentences of segment 0
  std::unique_ptr<uint32_t[], Release> places_;
  FlatMap far_places_;  // the same for sentences of other segments
  // One block, so that a sentence costs one or two cache lines. The sentences at the front of segment 0, where most
  // samples come from, stay; all others share the rest, from `front_end_` on, which is emptied when it is full.
  std::vector<uint16_t> records_;
  uint64_t front_;  // how many sentences those are
  size_t front_end_;
  size_t next_front_ = 0, next_other_;
  std::vector<SentencePlace> others_;  // sentences with records in the rest
};

}  // namespace dragoman::index
