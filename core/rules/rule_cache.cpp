#include "rules/rule_cache.h"

#include <algorithm>

namespace dragoman::rules {
namespace {

// Of a small index a cache is this part, or so much.
constexpr uint64_t part_of_index = 3, least_bytes = 1 << 20;

}  // namespace

size_t pattern_cache_bytes(const Snapshot& snapshot, const ExtractOptions& options) {
  // The others work with complete lists, to be compared.
  if (options.matching != Matching::exact && options.matching != Matching::bounded) return 0;
  const uint64_t index = snapshot.bitext(0).container().file_size();
  const uint64_t all = std::min<uint64_t>(options.rule_cache_bytes, std::max(index / part_of_index, least_bytes));
  // Where pairs were added, the rule cache and the base cache share it.
  return snapshot.segments() == 1 ? all : all / 2;
}

// Where pairs were added, more may come at any time.
RuleCache::RuleCache(const Snapshot& snapshot, const ExtractOptions& options)
    : patterns_(pattern_cache_bytes(snapshot, options),
                snapshot.segments() == 1 ? PatternCache::Memory::at_once : PatternCache::Memory::as_needed) {}

bool RuleCache::sample(std::span<const WordId> symbols, std::vector<Match>& out, PackedRules& scratch) {
  if (!patterns_.find(symbols, 0, scratch.bytes())) return false;
  scratch.unpack_sample(symbols, out);
  return true;
}

bool RuleCache::rules(std::span<const WordId> symbols, uint8_t variants, NodeRules& out, PackedRules& scratch) {
  if (!patterns_.find(symbols, variants, scratch.bytes())) return false;
  scratch.unpack_rules(variants, out);
  return true;
}

void RuleCache::keep(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants,
                     const NodeRules& rules, PackedRules& scratch) {
  if (!patterns_.wants(symbols)) return;
  scratch.pack(symbols, sample, variants, rules);
  patterns_.keep(symbols, scratch.bytes());
}

}  // namespace dragoman::rules
