// -log10 of p(target|source) and p(source|target) of word pairs, looked up once per pair and remembered. With a
// training sentence left out, its links are taken from the counts first.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "base/flat_map.h"
#include "base/namespaces.h"
#include "index/aligned_sentence.h"
#include "index/lexicon.h"
#include "index/snapshot.h"

namespace dragoman::rules {

struct PairScore {
  float target_given_source;  // infinite if the pair is never linked
  float source_given_target;
};

class LexicalScores {
 public:
  explicit LexicalScores(const Snapshot& snapshot) : snapshot_(snapshot) {}

  PairScore get(WordId source, WordId target);
  // Counts as if this sentence pair, which counts `weight` times, were not in its bitext; nullptr counts all.
  void leave_out(const IndexedBitext& bitext, const AlignedSentence* sentence, uint32_t weight);

 private:
  uint64_t without(uint64_t count, uint64_t key) const;

  static constexpr WordId all = UINT32_MAX;  // the other side of a marginal
  const Snapshot& snapshot_;
  FlatMap places_;
  std::vector<PairScore> scores_;
  std::unordered_map<uint64_t, uint64_t> left_out_;
};

}  // namespace dragoman::rules
