// The sentences of one segment that have been removed: their matches do not count, and their links and n-grams are
// taken from the counts. A search asks about every occurrence it meets, so a bit for every block of text answers most
// questions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/link_counts.h"
#include "index/ngram_counts.h"

namespace dragoman::index {

class Tombstones {
 public:
  // A sentence, how often it has counted, and whether people had added it.
  struct Removal {
    uint64_t sentence;
    uint32_t weight;
    bool taught;
  };
  // Those before, if any, and more; a sentence that was removed before must not come again.
  Tombstones(const Tombstones* before, const IndexedBitext& bitext, std::span<const Removal> removals);
  // The same, with nothing counted.
  Tombstones(const Tombstones* before, const IndexedBitext& bitext, std::span<const uint64_t> sentences);

  std::span<const uint64_t> sentences() const { return sentences_; }
  bool has(uint64_t sentence) const;
  // Whether a position of the source text lies in a removed sentence.
  bool contains(uint64_t position) const {
    const uint64_t block = position / block_size;
    return (blocks_[block >> 6] >> (block & 63) & 1) != 0 && search(position);
  }
  const LinkCounts& links() const { return links_; }
  // Of those that people had added.
  const NgramCounts& ngrams() const { return ngrams_; }

 private:
  static constexpr uint64_t block_size = 64;
  bool search(uint64_t position) const;
  void bury(const IndexedBitext& bitext, uint64_t sentence);
  void sort();

  std::vector<uint64_t> sentences_;
  std::vector<TextSpan> ranges_;  // of the source text, rising
  std::vector<uint64_t> blocks_;
  LinkCounts links_;
  NgramCounts ngrams_;
};

// What a search in one segment passes over: removed sentences, and one that is left out for this time.
struct Exclusion {
  TextSpan range{0, 0};
  const Tombstones* tombstones = nullptr;

  bool empty() const { return range.empty() && !tombstones; }
  bool contains(uint64_t position) const {
    return range.contains(position) || (tombstones && tombstones->contains(position));
  }
};

}  // namespace dragoman::index
