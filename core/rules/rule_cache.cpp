#include "rules/rule_cache.h"

#include <algorithm>

#include "base/hash.h"

namespace dragoman::rules {
namespace {

// A block is also full when it has an entry for so many bytes: its table of places is made for that and never grows.
constexpr size_t bytes_per_entry = 128;
// What the length before an entry takes at most; entries are shorter than 4 GB.
constexpr size_t most_length_bytes = 5;

uint64_t key_of(std::span<const WordId> symbols) {
  uint64_t hash = symbols.size();
  for (WordId symbol : symbols) hash = mix(hash ^ symbol);
  return hash;
}

// Of a small index the cache is this part, or so much.
constexpr uint64_t part_of_index = 3, least_bytes = 1 << 20;

size_t bytes_for(const Snapshot& snapshot, const ExtractOptions& options) {
  // The others work with complete lists, to be compared.
  if (options.matching != Matching::exact && options.matching != Matching::bounded) return 0;
  const uint64_t index = snapshot.bitext(0).container().file_size();
  return std::min<uint64_t>(options.rule_cache_bytes, std::max(index / part_of_index, least_bytes));
}

}  // namespace

RuleCache::RuleCache(const Snapshot& snapshot, const ExtractOptions& options)
    : block_bytes_(bytes_for(snapshot, options) / 2) {}

std::span<const uint8_t> RuleCache::entry_in(const Block& block, uint64_t hash) {
  const uint32_t place = block.places.find(hash);
  if (place == FlatMap::absent) return {};
  const uint8_t* at = block.bytes.data() + place;
  const size_t length = take_varint(at);
  return {at, length};
}

std::span<const uint8_t> RuleCache::find_in(const Block& block, uint64_t hash, std::span<const WordId> symbols) {
  const std::span<const uint8_t> entry = entry_in(block, hash);
  const uint8_t* behind = entry.empty() ? nullptr : PackedRules::behind_symbols(entry.data(), symbols);
  return behind ? entry.subspan(static_cast<size_t>(behind - entry.data())) : std::span<const uint8_t>();
}

std::span<const uint8_t> RuleCache::find(std::span<const WordId> symbols) {
  const uint64_t hash = key_of(symbols);
  if (const auto packed = find_in(young_, hash, symbols); !packed.empty()) return packed;
  const auto packed = find_in(old_, hash, symbols);
  if (packed.empty()) return {};
  if (const auto entry = entry_in(old_, hash); has_room(entry.size())) put(hash, entry);
  return packed;
}

bool RuleCache::has_room(size_t bytes) const {
  return young_.bytes.size() + most_length_bytes + bytes <= block_bytes_ &&
         young_.places.size() < block_bytes_ / bytes_per_entry;
}

void RuleCache::put(uint64_t hash, std::span<const uint8_t> entry) {
  young_.places[hash] = static_cast<uint32_t>(young_.bytes.size());
  append_varint(young_.bytes, entry.size());
  young_.bytes.insert(young_.bytes.end(), entry.begin(), entry.end());
}

bool RuleCache::seen(uint64_t hash) {
  // Emptied before chance makes everything look known.
  if (seen_.empty() || seen_count_ > seen_bits / 4) {
    seen_.assign(seen_bits / 64, 0);
    seen_count_ = 0;
  }
  uint64_t& word = seen_[hash / 64 % (seen_bits / 64)];
  const uint64_t bit = uint64_t{1} << hash % 64;
  if (word & bit) return true;
  word |= bit;
  ++seen_count_;
  return false;
}

bool RuleCache::sample(std::span<const WordId> symbols, std::vector<Match>& out, PackedRules& scratch) {
  {
    std::lock_guard lock(mutex_);
    const auto packed = find(symbols);
    if (packed.empty()) return false;
    scratch.assign(packed);
  }
  scratch.unpack_sample(symbols, out);
  return true;
}

bool RuleCache::has_rules(std::span<const WordId> symbols, uint8_t variants) {
  std::lock_guard lock(mutex_);
  const auto packed = find(symbols);
  return !packed.empty() && (variants & ~PackedRules::variants(packed.data())) == 0;
}

bool RuleCache::rules(std::span<const WordId> symbols, uint8_t variants, NodeRules& out, PackedRules& scratch) {
  {
    std::lock_guard lock(mutex_);
    const auto packed = find(symbols);
    if (packed.empty() || (variants & ~PackedRules::variants(packed.data())) != 0) return false;
    scratch.assign(packed);
  }
  scratch.unpack_rules(variants, out);
  return true;
}

// All of it at once, so that what a process needs shows from its first sentence on.
void RuleCache::take_memory() {
  for (Block* block : {&young_, &old_}) {
    block->bytes.resize(block_bytes_);
    block->bytes.clear();
    block->places.reserve(block_bytes_ / bytes_per_entry);
  }
}

void RuleCache::keep(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants,
                     const NodeRules& rules, PackedRules& scratch) {
  const uint64_t key = key_of(symbols);
  {
    std::lock_guard lock(mutex_);
    if (was_full_ && !seen(key)) return;
  }
  scratch.pack(symbols, sample, variants, rules);
  const auto entry = scratch.bytes();
  // What would fill much of the memory alone is not worth it.
  if (entry.size() > block_bytes_ / 4) return;
  std::lock_guard lock(mutex_);
  if (!has_room(entry.size())) {
    std::swap(young_, old_);
    young_.places.clear();
    young_.bytes.clear();
    was_full_ = true;
  }
  if (young_.bytes.capacity() < block_bytes_) take_memory();
  put(key, entry);
}

}  // namespace dragoman::rules
