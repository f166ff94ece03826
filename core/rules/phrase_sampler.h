// The contiguous patterns of a sentence: where each lies in the suffix array of every segment, an interval that is
// found inside that of the pattern without its last word (thesis 3.2), and its sample.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"
#include "index/snapshot.h"
#include "index/suffix_search.h"
#include "rules/pattern_trie.h"
#include "rules/samples.h"

namespace dragoman::rules {

class PhraseSampler {
 public:
  explicit PhraseSampler(const Snapshot& snapshot) : snapshot_(snapshot), ranks_(snapshot.segments()) {}

  // For a new sentence; matches in the sentence pair `left_out` do not count.
  void start(const PatternTrie& trie, std::optional<SentencePlace> left_out);
  // Looks for a contiguous pattern whose parent was found; gives whether it occurs in any segment.
  bool find(uint32_t node);
  // Makes the sample of a pattern that was found.
  void sample(uint32_t node, Samples& samples);

  uint32_t segments() const { return snapshot_.segments(); }
  // None of a pattern that was not found.
  TextSpan ranks(uint32_t segment, uint32_t node) const {
    return node < ranks_[segment].size() ? ranks_[segment][node] : TextSpan{};
  }
  uint64_t occurrences(uint32_t segment, uint32_t node) const { return ranks(segment, node).size(); }
  // What searches in a segment pass over.
  const Exclusion& excluded(uint32_t segment) const { return excluded_[segment]; }

 private:
  const Snapshot& snapshot_;
  const PatternTrie* trie_ = nullptr;
  std::vector<Exclusion> excluded_;           // by segment
  std::vector<std::vector<TextSpan>> ranks_;  // by segment, then node
  std::vector<Match> matches_;
};

}  // namespace dragoman::rules
