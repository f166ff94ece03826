// What extraction found for frequent patterns, kept from sentence to sentence: the words of a language are few, so that
// most matches of a new sentence belong to patterns that some sentence before it had (four in five on image captions,
// half on parliament's debates). A pattern's sample and rules depend on the index and the options alone, so whether
// they come from here shows in nothing but time; a cache belongs to extractors of one snapshot of the index with the
// same options, so nothing here ever goes stale. Several threads may use it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/snapshot.h"
#include "rules/node_rules.h"
#include "rules/options.h"
#include "rules/packed_rules.h"
#include "rules/pattern_cache.h"

namespace dragoman::rules {

// Memory that a cache of patterns may have: of a small index the option's is too much.
size_t pattern_cache_bytes(const Snapshot& snapshot, const ExtractOptions& options);

class RuleCache {
 public:
  // For extractors with these options.
  RuleCache(const Snapshot& snapshot, const ExtractOptions& options);

  bool enabled() const { return patterns_.enabled(); }
  // `scratch` is the caller's own. The sample, if it is known.
  bool sample(std::span<const WordId> symbols, std::vector<Match>& out, PackedRules& scratch);
  // The rules, if those of all wanted variants (bits 1 << Variant) are known; others are left out.
  bool rules(std::span<const WordId> symbols, uint8_t variants, NodeRules& out, PackedRules& scratch);

  bool has_rules(std::span<const WordId> symbols, uint8_t variants) { return patterns_.has(symbols, variants); }

  // A pattern known to match nowhere, and one with its rules of these variants.
  void keep_dead(std::span<const WordId> symbols, PackedRules& scratch) { keep(symbols, {}, 0, NodeRules(), scratch); }
  void keep(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants, const NodeRules& rules,
            PackedRules& scratch);

 private:
  PatternCache patterns_;
};

}  // namespace dragoman::rules
