#include "rules/pattern_cache.h"

#include <utility>

#include "base/hash.h"
#include "base/varint.h"

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

// Where the entry of a pattern goes on behind its symbols, or nullptr if it is another's.
const uint8_t* behind_symbols(const uint8_t* entry, std::span<const WordId> symbols) {
  if (take_varint(entry) != symbols.size()) return nullptr;
  for (WordId symbol : symbols)
    if (take_varint(entry) != symbol) return nullptr;
  return entry;
}

bool tells(std::span<const uint8_t> kept, uint8_t variants) { return !kept.empty() && (variants & ~kept[0]) == 0; }

}  // namespace

std::span<const uint8_t> PatternCache::entry_in(const Block& block, uint64_t hash) {
  const uint32_t place = block.places.find(hash);
  if (place == FlatMap::absent) return {};
  const uint8_t* at = block.bytes.data() + place;
  const size_t length = take_varint(at);
  return {at, length};
}

std::span<const uint8_t> PatternCache::find_in(const Block& block, uint64_t hash, std::span<const WordId> symbols) {
  const std::span<const uint8_t> entry = entry_in(block, hash);
  const uint8_t* behind = entry.empty() ? nullptr : behind_symbols(entry.data(), symbols);
  return behind ? entry.subspan(static_cast<size_t>(behind - entry.data())) : std::span<const uint8_t>();
}

std::span<const uint8_t> PatternCache::find(std::span<const WordId> symbols) {
  const uint64_t hash = key_of(symbols);
  if (const auto kept = find_in(young_, hash, symbols); !kept.empty()) return kept;
  const auto kept = find_in(old_, hash, symbols);
  if (kept.empty()) return {};
  if (const auto entry = entry_in(old_, hash); has_room(entry.size())) put(hash, entry, {});
  return kept;
}

bool PatternCache::has_room(size_t bytes) const {
  return young_.bytes.size() + most_length_bytes + bytes <= block_bytes_ &&
         young_.places.size() < block_bytes_ / bytes_per_entry;
}

void PatternCache::put(uint64_t hash, std::span<const uint8_t> symbols, std::span<const uint8_t> kept) {
  young_.places[hash] = static_cast<uint32_t>(young_.bytes.size());
  append_varint(young_.bytes, symbols.size() + kept.size());
  young_.bytes.insert(young_.bytes.end(), symbols.begin(), symbols.end());
  young_.bytes.insert(young_.bytes.end(), kept.begin(), kept.end());
}

bool PatternCache::seen(uint64_t hash) {
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

bool PatternCache::find(std::span<const WordId> symbols, uint8_t variants, std::vector<uint8_t>& kept) {
  std::lock_guard lock(mutex_);
  const auto entry = find(symbols);
  if (!tells(entry, variants)) return false;
  kept.assign(entry.begin(), entry.end());
  return true;
}

bool PatternCache::has(std::span<const WordId> symbols, uint8_t variants) {
  std::lock_guard lock(mutex_);
  return tells(find(symbols), variants);
}

bool PatternCache::wants(std::span<const WordId> symbols) {
  if (!enabled()) return false;
  std::lock_guard lock(mutex_);
  return !was_full_ || seen(key_of(symbols));
}

void PatternCache::take_memory() {
  for (Block* block : {&young_, &old_}) {
    block->bytes.resize(block_bytes_);
    block->bytes.clear();
    block->places.reserve(block_bytes_ / bytes_per_entry);
  }
}

void PatternCache::keep(std::span<const WordId> symbols, std::span<const uint8_t> kept) {
  std::lock_guard lock(mutex_);
  symbols_.clear();
  append_varint(symbols_, symbols.size());
  for (WordId symbol : symbols) append_varint(symbols_, symbol);
  const size_t size = symbols_.size() + kept.size();
  // What would fill much of the memory alone is not worth it.
  if (size > block_bytes_ / 4) return;
  if (!has_room(size)) {
    std::swap(young_, old_);
    young_.places.clear();
    young_.bytes.clear();
    was_full_ = true;
  }
  if (memory_ == Memory::at_once && young_.bytes.capacity() < block_bytes_) take_memory();
  put(key_of(symbols), symbols_, kept);
}

}  // namespace dragoman::rules
