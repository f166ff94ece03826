#include "index/frequent.h"

#include <algorithm>

#include "base/hash.h"
#include "index/frequent_builder.h"

namespace dragoman::index {
namespace {

// No table that was built has a stretch of slots in use that is nearly so long. What is not found is searched for.
constexpr uint64_t most_probes = 1024;

}  // namespace

uint64_t hash_symbols(std::span<const WordId> symbols) {
  uint64_t hash = symbols.size();
  for (WordId symbol : symbols) hash = mix(hash ^ symbol);
  return hash;
}

Frequent::Frequent(const Container& container) : container_(container) {
  const auto meta = container.record<FrequentMeta>("meta");
  if (meta.patterns >> 32 || meta.symbols >> 32 || meta.matches >> 40 || meta.slots >> 34 ||
      meta.slots <= meta.patterns || meta.max_rule_span > 255 || (meta.slots & (meta.slots - 1)) != 0)
    container.fail("meta", "has sizes that cannot be");
  patterns_ = meta.patterns;
  max_samples_ = meta.max_samples;
  max_rule_span_ = meta.max_rule_span;
  min_gap_size_ = meta.min_gap_size;
  symbol_begins_ = PackedArray(container, "symbol_begins", patterns_ + 1, bits_for(meta.symbols));
  symbols_ = PackedArray(container, "symbols", meta.symbols, meta.symbol_width);
  table_ = PackedArray(container, "table", meta.slots, bits_for(patterns_));
  match_begins_ = PackedArray(container, "match_begins", patterns_ + 1, bits_for(meta.matches));
  complete_ = PackedArray(container, "complete", patterns_, 1);
  first_ = PackedArray(container, "first", meta.matches, meta.first_width);
  second_ = PackedArray(container, "second", meta.matches, bits_for(max_rule_span_));
  third_ = PackedArray(container, "third", meta.matches, bits_for(max_rule_span_));
}

bool Frequent::serves(const ExtractOptions& options) const {
  return options.max_samples <= max_samples_ && options.max_rule_span == max_rule_span_ &&
         options.min_gap_size == min_gap_size_;
}

std::optional<Frequent::Entry> Frequent::find(std::span<const WordId> symbols) const {
  const uint64_t mask = table_.size() - 1;
  uint64_t slot = hash_symbols(symbols) & mask;
  for (uint64_t probes = 0; probes < std::min(table_.size(), most_probes); ++probes, slot = (slot + 1) & mask) {
    const uint64_t stored = table_[slot];
    if (stored == 0) return std::nullopt;
    if (stored > patterns_) container_.fail("table", "points outside the patterns");
    const uint64_t pattern = stored - 1;
    const uint64_t begin = symbol_begins_[pattern], end = symbol_begins_[pattern + 1];
    if (begin > end || end > symbols_.size()) container_.fail("symbol_begins", "is not in order");
    bool same = end - begin == symbols.size();
    for (uint64_t i = 0; same && i < symbols.size(); ++i) same = symbols_[begin + i] == symbols[i];
    if (!same) continue;
    const Entry entry{match_begins_[pattern], match_begins_[pattern + 1], complete_[pattern] != 0};
    if (entry.begin > entry.end || entry.end > first_.size()) container_.fail("match_begins", "is not in order");
    return entry;
  }
  return std::nullopt;
}

}  // namespace dragoman::index
