// The sentence pairs whose source sides are nearest to a text, as a translation memory finds them: by the number of
// words that have to be put in, taken out or exchanged. A pair of `words` longest side is similar by 1 -
// distance/words.
//
// Candidates come from the suffix array. An edit saves no more words than both sentences share, so a sentence that is
// similar by t shares at least t of the text's words; one that has none of the rarest 1 - t of them need not be looked
// at. Words are taken rarest first, and t rises with what is found, so that frequent words are hardly ever asked for.
// Where they would cost more than the bound on work allows, the text's phrases are taken instead, rarest first: then
// what is found is near, and perhaps not the nearest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/link.h"
#include "base/namespaces.h"
#include "index/snapshot.h"

namespace dragoman::index {

// Longer texts and sentences are near to nothing.
inline constexpr uint64_t most_near_words = 1000;
// Pairs of the same words that are named.
inline constexpr size_t most_alike = 16;

struct NearOptions {
  uint32_t most = 5;
  uint32_t at_least = 50;      // percent; 1 at least
  uint64_t work = 10'000'000;  // words that are looked at, or compared with another
};

struct NearPair {
  uint64_t stable_id;
  uint32_t distance;
  uint32_t words;  // of the longer one
  // Words that stay as they are: position in the text, position in the pair's source side, both rising.
  Links kept;
  // Where its source side is the text: some of the other pairs of the same words, corrections first, then by stable id.
  std::vector<uint64_t> alike;
};

struct NearPairs {
  // Most similar first; of equally similar ones corrections first, then by stable id. Pairs of the same words on both
  // sides are one.
  std::vector<NearPair> pairs;
  bool complete = true;  // whether nothing nearer can be there
};

// Words that are in no sentence have any number that no sentence has.
NearPairs nearest_pairs(const Snapshot& snapshot, std::span<const WordId> text, const NearOptions& options);

}  // namespace dragoman::index
