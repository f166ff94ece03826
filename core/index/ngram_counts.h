// How often words stand side by side in a few target sentences: all that a language model learns of pairs that were
// added, and nothing but sums. So the counts of segments add up, and those of a removed pair are taken away exactly.
//
// An n-gram goes by a hash of its words, made from its last word to its first, because a model that backs off asks for
// longer and longer contexts. Two of the same hash, of which among a million none are to be expected, would share their
// counts, and lose them together too.
#pragma once

#include <cstdint>
#include <span>

#include "base/flat_map.h"
#include "base/hash.h"
#include "base/namespaces.h"
#include "text/vocabulary.h"

namespace dragoman::index {

// Words of the target side, by their ids there, from the last to the first.
class NgramKey {
 public:
  // This n-gram with one more word on its left.
  NgramKey after(WordId word) const { return NgramKey(mix(hash_ ^ word)); }
  uint64_t hash() const { return hash_; }

  NgramKey() = default;

 private:
  explicit NgramKey(uint64_t hash) : hash_(hash) {}
  uint64_t hash_ = 0;
};

class NgramCounts {
 public:
  static constexpr uint32_t order = 4;
  // Stands before the first word and after the last, so that it is as often a context as it is a word.
  static constexpr WordId boundary = Vocabulary::separator;

  void add(std::span<const WordId> sentence);

  bool empty() const { return words_ == 0; }
  // Of all words, ends of sentences among them.
  uint64_t words() const { return words_; }
  uint32_t count(NgramKey ngram) const {
    const uint32_t times = counts_.find(ngram.hash());
    return times == FlatMap::absent ? 0 : times;
  }
  size_t bytes() const { return counts_.bytes(); }

 private:
  FlatMap counts_;
  uint64_t words_ = 0;
};

}  // namespace dragoman::index
