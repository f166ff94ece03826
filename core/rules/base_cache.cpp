#include "rules/base_cache.h"

#include "rules/rule_cache.h"

namespace dragoman::rules {

BaseCache::BaseCache(const Snapshot& snapshot, const ExtractOptions& options)
    : bitext_(snapshot.part(0).bitext),
      tombstones_(snapshot.part(0).tombstones),
      patterns_(pattern_cache_bytes(snapshot, options), PatternCache::Memory::as_needed) {}

bool BaseCache::sample(std::span<const WordId> symbols, std::vector<Match>& out, PackedYields& scratch) {
  if (!patterns_.find(symbols, 0, scratch.bytes())) return false;
  scratch.unpack_sample(symbols, out);
  return true;
}

bool BaseCache::yields(std::span<const WordId> symbols, uint8_t variants, std::span<const uint32_t> numbers,
                       uint32_t node, Yields& out, PackedYields& scratch) {
  return patterns_.find(symbols, variants, scratch.bytes()) && scratch.unpack_yields(variants, numbers, node, out);
}

void BaseCache::keep_dead(std::span<const WordId> symbols, PackedYields& scratch) {
  if (!patterns_.wants(symbols)) return;
  scratch.begin(symbols, {}, 0, 0);
  scratch.finish();
  patterns_.keep(symbols, scratch.bytes());
}

void BaseCache::keep(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants,
                     std::span<const uint32_t> numbers, uint32_t node, const Yields& yields, PackedYields& scratch) {
  if (!patterns_.wants(symbols)) return;
  scratch.begin(symbols, sample, variants, numbers.size());
  uint32_t match = 0;
  for (size_t i = 0; i < yields.count(node); ++i) {
    Yield yield = yields.get(node, i);
    while (match < numbers.size() && numbers[match] < yield.match) ++match;
    // Those of matches in other segments are left out.
    if (match == numbers.size() || numbers[match] != yield.match) continue;
    yield.match = match;
    scratch.add(yield);
  }
  scratch.finish();
  patterns_.keep(symbols, scratch.bytes());
}

}  // namespace dragoman::rules
