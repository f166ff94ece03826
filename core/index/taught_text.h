// What the target sentences of all pairs that people have added say of the language, as it is in one snapshot: the
// counts of its segments, without those of removed pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.h"
#include "index/ngram_counts.h"

namespace dragoman::index {

class TaughtText {
 public:
  // What is added and taken away must stay.
  void add(const NgramCounts& counts) {
    if (!counts.empty()) added_.push_back(&counts);
  }
  void take_away(const NgramCounts& counts) {
    if (!counts.empty()) gone_.push_back(&counts);
  }

  uint64_t words() const {
    return sum([](const NgramCounts& counts) { return counts.words(); });
  }
  uint64_t count(NgramKey ngram) const {
    return sum([&](const NgramCounts& counts) { return counts.count(ngram); });
  }
  // Whether some sentence has the word.
  bool has(WordId word) const { return count(NgramKey().after(word)) > 0; }

 private:
  template <class Count>
  uint64_t sum(Count&& count) const {
    uint64_t total = 0;
    for (const NgramCounts* counts : added_) total += count(*counts);
    if (total == 0) return 0;
    for (const NgramCounts* counts : gone_) total -= count(*counts);
    return total;
  }

  std::vector<const NgramCounts*> added_, gone_;
};

}  // namespace dragoman::index
