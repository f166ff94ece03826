#include "extract/rule_cache.h"

#include <algorithm>
#include <cstring>

#include "extract/frequent.h"

namespace dragoman {
namespace {

// A block is also full when it has an entry for so many bytes: its table of places is made for that and never grows.
constexpr size_t bytes_per_entry = 128;

// The one key FlatMap does not take is as good as another.
uint64_t key_of(std::span<const WordId> symbols) { return std::min(hash_symbols(symbols), UINT64_MAX - 1); }

// Seven bits at a time, the last byte below 128.
void put_number(std::vector<uint8_t>& bytes, uint64_t value) {
  for (; value >= 128; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 128));
  bytes.push_back(static_cast<uint8_t>(value));
}

uint64_t take_number(const uint8_t*& at) {
  uint64_t value = *at & 127;
  for (uint32_t shift = 7; *at++ >= 128; shift += 7) value |= uint64_t{*at & 127u} << shift;
  return value;
}

uint32_t take_count(const uint8_t*& at) { return static_cast<uint32_t>(take_number(at)); }

void put_float(std::vector<uint8_t>& bytes, float value) {
  uint8_t raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.insert(bytes.end(), raw, raw + sizeof value);
}

float take_float(const uint8_t*& at) {
  float value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

// Of a small index the cache is this part, or so much.
constexpr uint64_t part_of_index = 3, least_bytes = 1 << 20;

size_t bytes_for(const Snapshot& snapshot, const ExtractOptions& options) {
  // The others work with complete lists, to be compared.
  if (options.matching != Matching::exact && options.matching != Matching::bounded) return 0;
  const uint64_t index = snapshot.bitext(0).container().file_size();
  return std::min<uint64_t>(options.rule_cache_bytes, std::max(index / part_of_index, least_bytes));
}

// A pattern without gaps has matches whose low 16 bits are 0.
uint32_t match_shift(std::span<const WordId> symbols) { return std::ranges::count(symbols, WordId{0}) == 0 ? 16 : 0; }

}  // namespace

RuleCache::RuleCache(const Snapshot& snapshot, const ExtractOptions& options)
    : block_bytes_(bytes_for(snapshot, options) / 2) {}

const uint8_t* RuleCache::find_in(const Block& block, uint64_t hash, std::span<const WordId> symbols) const {
  const uint32_t place = block.places.find(hash);
  if (place == FlatMap::absent) return nullptr;
  const uint8_t* at = block.bytes.data() + place;
  take_number(at);  // the entry's length
  if (take_number(at) != symbols.size()) return nullptr;
  for (WordId symbol : symbols)
    if (take_number(at) != symbol) return nullptr;
  return at;
}

const uint8_t* RuleCache::find(std::span<const WordId> symbols) {
  const uint64_t hash = key_of(symbols);
  if (const uint8_t* entry = find_in(young_, hash, symbols)) return entry;
  const uint8_t* entry = find_in(old_, hash, symbols);
  if (!entry) return nullptr;
  const uint8_t* begin = old_.bytes.data() + old_.places.find(hash);
  const uint8_t* body = begin;
  const uint64_t length = take_number(body);
  const std::span<const uint8_t> whole(begin, static_cast<size_t>(body - begin) + length);
  if (fits(whole.size()) && young_.places.size() < block_bytes_ / bytes_per_entry) put(hash, whole);
  return entry;
}

void RuleCache::put(uint64_t hash, std::span<const uint8_t> entry) {
  young_.places[hash] = static_cast<uint32_t>(young_.bytes.size());
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

bool RuleCache::sample(std::span<const WordId> symbols, std::vector<Match>& out) {
  std::lock_guard lock(mutex_);
  const uint8_t* at = find(symbols);
  if (!at) return false;
  ++at;  // the variants
  const uint32_t shift = match_shift(symbols);
  out.resize(take_count(at));
  Match last = 0;
  for (Match& each : out) each = last += take_number(at) << shift;
  return true;
}

bool RuleCache::has_rules(std::span<const WordId> symbols, uint8_t variants) {
  std::lock_guard lock(mutex_);
  const uint8_t* at = find(symbols);
  return at && (variants & ~*at) == 0;
}

bool RuleCache::rules(std::span<const WordId> symbols, uint8_t variants, NodeRules& out) {
  std::lock_guard lock(mutex_);
  const uint8_t* at = find(symbols);
  if (!at || (variants & ~*at) != 0) return false;
  ++at;
  for (uint32_t count = take_count(at); count > 0; --count) take_number(at);  // the sample
  out.samples_ = take_count(at);
  uint32_t counts[variant_count];
  for (uint32_t variant = 0; variant < variant_count; ++variant) {
    out.mass_[variant] = take_count(at);
    counts[variant] = take_count(at);
  }
  // Sizes of everything, so that spans into it stay valid.
  out.symbols_.resize(take_count(at));
  out.links_.resize(take_count(at));
  out.matches_.resize(take_count(at));
  out.rules_.clear();
  size_t symbol = 0, link = 0, match = 0;
  for (uint32_t variant = 0; variant < variant_count; ++variant) {
    const bool wanted = (variants >> variant & 1) != 0;
    out.begins_[variant] = out.rules_.size();
    if (!wanted) out.mass_[variant] = 0;
    for (uint32_t i = 0; i < counts[variant]; ++i) {
      ExtractedRule rule{};
      const uint32_t rule_symbols = take_count(at), rule_links = take_count(at), rule_matches = take_count(at);
      rule.count = take_count(at);
      rule.lexical_source_given_target = take_float(at);
      rule.lexical_target_given_source = take_float(at);
      for (uint32_t k = 0; k < rule_symbols; ++k) out.symbols_[symbol + k] = take_count(at);
      for (uint32_t k = 0; k < rule_links; ++k) {
        const uint32_t source = take_count(at), target = take_count(at);
        out.links_[link + k] = symbol_link(source, target);
      }
      uint32_t last = 0;
      for (uint32_t k = 0; k < rule_matches; ++k) out.matches_[match + k] = last += take_count(at);
      rule.target = std::span<const TargetSymbol>(out.symbols_).subspan(symbol, rule_symbols);
      rule.links = std::span<const SymbolLink>(out.links_).subspan(link, rule_links);
      rule.matches = std::span<const uint32_t>(out.matches_).subspan(match, rule_matches);
      symbol += rule_symbols;
      link += rule_links;
      match += rule_matches;
      if (wanted) out.rules_.push_back(rule);
    }
  }
  out.begins_[variant_count] = out.rules_.size();
  return true;
}

void RuleCache::pack(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants,
                     const NodeRules& rules) {
  packed_.clear();
  put_number(packed_, symbols.size());
  for (WordId symbol : symbols) put_number(packed_, symbol);
  packed_.push_back(variants);
  const uint32_t shift = match_shift(symbols);
  put_number(packed_, sample.size());
  // A sample of several segments does not rise throughout; differences then wrap around, and back when they are added.
  Match last = 0;
  for (Match each : sample) {
    put_number(packed_, (each - last) >> shift);
    last = each;
  }
  put_number(packed_, rules.samples_);
  for (uint32_t variant = 0; variant < variant_count; ++variant) {
    put_number(packed_, rules.mass_[variant]);
    put_number(packed_, rules.begins_[variant + 1] - rules.begins_[variant]);
  }
  size_t symbol_total = 0, link_total = 0, match_total = 0;
  for (const ExtractedRule& rule : rules.rules_) {
    symbol_total += rule.target.size();
    link_total += rule.links.size();
    match_total += rule.matches.size();
  }
  put_number(packed_, symbol_total);
  put_number(packed_, link_total);
  put_number(packed_, match_total);
  for (const ExtractedRule& rule : rules.rules_) {
    put_number(packed_, rule.target.size());
    put_number(packed_, rule.links.size());
    put_number(packed_, rule.matches.size());
    put_number(packed_, rule.count);
    put_float(packed_, rule.lexical_source_given_target);
    put_float(packed_, rule.lexical_target_given_source);
    for (TargetSymbol symbol : rule.target) put_number(packed_, symbol);
    for (SymbolLink each : rule.links) {
      put_number(packed_, each >> 16);
      put_number(packed_, each & 0xffff);
    }
    uint32_t before = 0;
    for (uint32_t each : rule.matches) {
      put_number(packed_, each - before);
      before = each;
    }
  }
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
                     const NodeRules& rules) {
  std::lock_guard lock(mutex_);
  const uint64_t key = key_of(symbols);
  if (was_full_ && !seen(key)) return;
  pack(symbols, sample, variants, rules);
  // Before it goes its length, for when it moves.
  const size_t length = packed_.size();
  uint8_t head[10];
  size_t digits = 0;
  for (uint64_t value = length;; value >>= 7) {
    head[digits++] = static_cast<uint8_t>(value >= 128 ? value | 128 : value);
    if (value < 128) break;
  }
  packed_.insert(packed_.begin(), head, head + digits);
  // What would fill much of the memory alone is not worth it.
  if (packed_.size() > block_bytes_ / 4) return;
  if (!fits(packed_.size()) || young_.places.size() >= block_bytes_ / bytes_per_entry) {
    std::swap(young_, old_);
    young_.places.clear();
    young_.bytes.clear();
    was_full_ = true;
  }
  if (young_.bytes.capacity() < block_bytes_) take_memory();
  put(key, packed_);
}

}  // namespace dragoman
