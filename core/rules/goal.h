// A gapped pattern whose sample is looked for around the occurrences of its rarest phrase, the anchor.
#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/match.h"
#include "rules/samples.h"

namespace dragoman::rules {

struct Goal {
  uint32_t node;
  uint32_t anchor;  // the contiguous node
  uint8_t anchor_phrase;
  uint64_t anchor_occurrences = 0;
  uint64_t stop = UINT64_MAX;  // the end of the sentence in which the sample filled up
  std::vector<Match> matches;
  bool settled = false;

  bool full() const { return stop != UINT64_MAX; }
  // A match found at the anchor's occurrence at `begin`; gives whether it filled the sample. Matches of a sentence are
  // found in the order of its anchors, not of their own, so a sample fills up to its end.
  bool push(const IndexedBitext& bitext, uint64_t begin, Match match, size_t max_samples) {
    if (begin >= stop) return false;
    matches.push_back(match);
    if (matches.size() != max_samples) return false;
    stop = bitext.source_range(bitext.sentence_of(begin)).end;
    return true;
  }
  // Adds the matches to the pattern's sample and gives their memory back.
  void settle(Samples& samples, uint32_t segment) {
    keep_sample(matches, samples.most());
    samples.add(node, segment, matches);
    std::vector<Match>().swap(matches);
    settled = true;
  }
};

}  // namespace dragoman::rules
