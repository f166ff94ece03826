// What extraction found for frequent patterns, kept from sentence to sentence: the words of a language are few, so that
// most matches of a new sentence belong to patterns that some sentence before it had (four in five on image captions,
// half on parliament's debates). A pattern's sample and rules depend on the index and the options alone, so whether
// they come from here shows in nothing but time; a cache belongs to extractors of one snapshot of the index with the
// same options, so nothing here ever goes stale. Several threads may use it.
//
// Memory is bounded. Entries are packed to bytes and live in two blocks: new ones and those used again go to the young
// block; when that is full, the old block is forgotten and the young one becomes old. Most patterns never come again,
// so that once the memory has been full a pattern is kept only when it comes for the second time.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "base/namespaces.h"
#include "index/snapshot.h"
#include "rules/node_rules.h"
#include "rules/options.h"
#include "rules/packed_rules.h"

namespace dragoman::rules {

class RuleCache {
 public:
  // For extractors with these options.
  RuleCache(const Snapshot& snapshot, const ExtractOptions& options);

  bool enabled() const { return block_bytes_ > 0; }
  // Patterns are given as symbols with 0 for a gap. `scratch` is the caller's own: only finding and copying an entry
  // makes others wait. The sample, if it is known.
  bool sample(std::span<const WordId> symbols, std::vector<Match>& out, PackedRules& scratch);
  // The rules, if those of all wanted variants (bits 1 << Variant) are known; others are left out.
  bool rules(std::span<const WordId> symbols, uint8_t variants, NodeRules& out, PackedRules& scratch);

  bool has_rules(std::span<const WordId> symbols, uint8_t variants);

  // A pattern known to match nowhere, and one with its rules of these variants.
  void keep_dead(std::span<const WordId> symbols, PackedRules& scratch) { keep(symbols, {}, 0, NodeRules(), scratch); }
  void keep(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants, const NodeRules& rules,
            PackedRules& scratch);

 private:
  struct Block {
    FlatMap places;  // hash of the symbols -> where the entry begins
    std::vector<uint8_t> bytes;
  };

  // A whole entry, empty if there is none; its length stands before it.
  static std::span<const uint8_t> entry_in(const Block& block, uint64_t hash);
  // The entry behind its symbols; empty if there is none.
  static std::span<const uint8_t> find_in(const Block& block, uint64_t hash, std::span<const WordId> symbols);
  std::span<const uint8_t> find(std::span<const WordId> symbols);
  void put(uint64_t hash, std::span<const uint8_t> entry);
  // Whether the young block has room for an entry of so many bytes.
  bool has_room(size_t bytes) const;
  void take_memory();
  // Whether the pattern came before; if not, that it did now.
  bool seen(uint64_t hash);

  static constexpr uint32_t seen_bits = 1 << 18;
  const size_t block_bytes_;
  std::mutex mutex_;  // of all that follows
  Block young_, old_;
  bool was_full_ = false;
  std::vector<uint64_t> seen_;
  uint32_t seen_count_ = 0;
};

}  // namespace dragoman::rules
