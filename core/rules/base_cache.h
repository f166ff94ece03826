// What is known of frequent patterns in the trained bitext alone, kept from one state of an index that learns to the
// next: their samples there, and what the matches of these gave. Segments of added pairs are small; so a new state
// needs to look at few matches, and to add up again. It makes a state that somebody has just changed nearly as fast as
// one that has been in use. Whether something comes from here shows in nothing but time. Several threads may use it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/snapshot.h"
#include "rules/options.h"
#include "rules/packed_yields.h"
#include "rules/pattern_cache.h"

namespace dragoman::rules {

class BaseCache {
 public:
  BaseCache(const Snapshot& snapshot, const ExtractOptions& options);

  // Whether it is true of another snapshot as well: the same pairs count in the trained bitext.
  bool serves(const Snapshot& snapshot) const {
    const Snapshot::Part& base = snapshot.part(0);
    return base.bitext == bitext_ && base.tombstones == tombstones_;
  }

  // Patterns are given as symbols with 0 for a gap; `scratch` is the caller's own. The sample, if it is known.
  bool sample(std::span<const WordId> symbols, std::vector<Match>& out, PackedYields& scratch);
  // Gives a node what the first matches of the sample gave, if that of all wanted variants (bits 1 << Variant) is
  // known: the matches have these numbers now.
  bool yields(std::span<const WordId> symbols, uint8_t variants, std::span<const uint32_t> numbers, uint32_t node,
              Yields& out, PackedYields& scratch);

  // A pattern known to match nowhere.
  void keep_dead(std::span<const WordId> symbols, PackedYields& scratch);
  // A pattern with its sample; of the sample's first matches, which have these numbers now, what they gave the node.
  void keep(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants,
            std::span<const uint32_t> numbers, uint32_t node, const Yields& yields, PackedYields& scratch);

 private:
  const IndexedBitext* bitext_;
  const std::shared_ptr<const Tombstones> tombstones_;
  PatternCache patterns_;
};

}  // namespace dragoman::rules
