// How often words are linked in a few sentence pairs: the counts of lexicon.bin, kept in memory for pairs that were
// added or removed, so that p(target|source) changes exactly. One probe per look-up.
#pragma once

#include <cstdint>
#include <span>

#include "base/flat_map.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "index/lexicon.h"
#include "text/vocabulary.h"

namespace dragoman::index {

class LinkCounts {
 public:
  // Counts the links of a pair so many times; unlinked words are linked to NULL.
  void add(std::span<const WordId> source, std::span<const WordId> target, std::span<const Link> links,
           uint32_t times = 1);

  bool empty() const { return counts_.size() == 0; }
  size_t bytes() const { return counts_.bytes(); }
  uint32_t links(WordId source, WordId target) const { return get(key(source, target)); }
  uint32_t source_links(WordId source) const { return get(key(source, all)); }
  uint32_t target_links(WordId target) const { return get(key(all, target)); }

 private:
  static constexpr WordId all = UINT32_MAX;  // the other side of a marginal
  static uint64_t key(WordId source, WordId target) { return uint64_t{source} << 32 | target; }
  uint32_t get(uint64_t key) const {
    const uint32_t times = counts_.find(key);
    return times == FlatMap::absent ? 0 : times;
  }
  void count(WordId source, WordId target, uint32_t times);

  FlatMap counts_;
};

}  // namespace dragoman::index
