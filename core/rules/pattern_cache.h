// Bytes that are kept of patterns, from sentence to sentence. Several threads may use it.
//
// Memory is bounded. Entries live in two blocks: new ones and those used again go to the young block; when that is
// full, the old block is forgotten and the young one becomes old. Most patterns never come again, so that once the
// memory has been full a pattern is kept only when it comes for the second time.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "base/namespaces.h"
#include "text/vocabulary.h"

namespace dragoman::rules {

// Patterns are given as symbols with 0 for a gap. What is kept of one begins with a byte that says of which variants it
// tells (bits 1 << Variant).
class PatternCache {
 public:
  // Memory is taken with the first entry, so that what a process needs shows from its first sentence on, or as it is
  // needed: zeroing all of it would cost more than a cache that lives for a sentence or two is worth.
  enum class Memory { at_once, as_needed };
  PatternCache(size_t bytes, Memory memory) : block_bytes_(bytes / 2), memory_(memory) {}

  bool enabled() const { return block_bytes_ > 0; }
  // What is kept of the pattern, if it tells of all these variants. Only finding and copying it makes others wait.
  bool find(std::span<const WordId> symbols, uint8_t variants, std::vector<uint8_t>& kept);
  bool has(std::span<const WordId> symbols, uint8_t variants);
  // Whether the pattern is one to keep, now that it has come.
  bool wants(std::span<const WordId> symbols);
  void keep(std::span<const WordId> symbols, std::span<const uint8_t> kept);

 private:
  struct Block {
    FlatMap places;  // hash of the symbols -> where the entry begins
    std::vector<uint8_t> bytes;
  };

  // A whole entry, symbols and what is kept, empty if there is none; its length stands before it.
  static std::span<const uint8_t> entry_in(const Block& block, uint64_t hash);
  // The entry behind its symbols; empty if there is none.
  static std::span<const uint8_t> find_in(const Block& block, uint64_t hash, std::span<const WordId> symbols);
  std::span<const uint8_t> find(std::span<const WordId> symbols);
  void put(uint64_t hash, std::span<const uint8_t> symbols, std::span<const uint8_t> kept);
  // Whether the young block has room for an entry of so many bytes.
  bool has_room(size_t bytes) const;
  void take_memory();
  // Whether the pattern came before; if not, that it did now.
  bool seen(uint64_t hash);

  static constexpr uint32_t seen_bits = 1 << 18;
  const size_t block_bytes_;
  const Memory memory_;
  std::mutex mutex_;  // of all that follows
  Block young_, old_;
  std::vector<uint8_t> symbols_;  // of the entry at hand
  bool was_full_ = false;
  std::vector<uint64_t> seen_;
  uint32_t seen_count_ = 0;
};

}  // namespace dragoman::rules
