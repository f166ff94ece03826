// One training sentence pair with its links laid out so that a span's consistency is a comparison of two differences:
// a source span is consistent if it has as many links as its target projection has.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"
#include "index/bitext.h"

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

}  // namespace dragoman::index
