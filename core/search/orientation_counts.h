// Lexicalised reordering without a table: how a phrase pair stood to its neighbours in the sampled matches it was
// extracted from. Towards the phrase before: monotone if the word before it on the target side is linked to the word
// before it on the source side, swapped if that is linked to the word after it, else discontinuous; towards the phrase
// after in the same way (Koehn et al. 2005, word based).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/namespaces.h"
#include "index/aligned_sentence.h"
#include "index/match.h"
#include "index/snapshot.h"

namespace dragoman::search {

inline constexpr size_t orientation_count = 6;  // three before, three after, in the order of BuiltIn

class OrientationCounts {
 public:
  explicit OrientationCounts(const Snapshot& snapshot) : snapshot_(snapshot) {}

  // log10 p(orientation | phrase pair), smoothed by half a count each, from those of the sampled matches that gave the
  // pair.
  std::array<float, orientation_count> log10_probs(std::span<const Match> sample, std::span<const uint32_t> matches,
                                                   uint32_t length);

 private:
  const Snapshot& snapshot_;
  SentenceReader reader_;
};

}  // namespace dragoman::search
