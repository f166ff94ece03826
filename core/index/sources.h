// sources.bin: where each sentence pair of the index came from. Its text as it was before tokenization, its own id,
// file, line, unit and attributes, found by stable id or by own id.
//
// Pairs lie by rising stable id in blocks of some 16 KB, each compressed for itself (raw DEFLATE with a dictionary that
// all share, or stored), so that reading one pair costs one block; within a block values lie by column, which
// compresses better than by pair. Names of files and keys of attributes are kept once. Own ids are found through
// buckets of (8 bits of hash, pair).
//
//   meta            SourcesMeta
//   names           strings back to back; names.starts packed, one more than there are
//   dictionary      text that blocks are compressed with; may be missing
//   blocks          compressed blocks back to back; blocks.starts packed byte offsets, one more than there are;
//                   blocks.sizes packed sizes before compression; blocks.pairs packed number of pairs before each block
//                   and in all; blocks.ids packed stable id of each block's first pair
//   ids             packed (hash << pair bits | pair) by bucket; ids.starts packed, one more than there are buckets
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/container.h"
#include "base/namespaces.h"
#include "base/packed_array.h"

namespace dragoman::index {

struct SourceRecord {
  using Attribute = std::pair<std::string, std::string>;

  uint64_t stable_id = 0;
  std::string id;
  std::string source, target;
  std::string file;
  uint64_t line = 0;  // from 1; 0 where there is none
  std::string unit;
  std::vector<Attribute> attributes;
};

struct SourcesMeta {
  uint64_t pairs, blocks, names, name_bytes, block_bytes, largest_id;
  uint32_t largest_block, bucket_bits;
};

// How a pair's own id is told: usually it follows from where the pair lies.
enum class IdForm : uint64_t { file_and_line, unit, file_and_unit, own };

inline constexpr uint32_t id_hash_bits = 8;
// Blocks are closed when they pass block_bytes; one pair may make one longer than that.
inline constexpr size_t source_block_bytes = 16 << 10;
// As far as DEFLATE can reach back.
inline constexpr size_t largest_dictionary = 32 << 10;
inline constexpr size_t largest_source_block = 64 << 20;
// What the records of a block may take in memory, where names stand in each of them.
inline constexpr size_t most_block_memory = 2 * largest_source_block;

std::string derived_id(IdForm form, const SourceRecord& record);
// Bytes of memory that a record takes.
size_t memory_of(const SourceRecord& record);
uint64_t id_hash(std::string_view id);

class Sources {
 public:
  static constexpr std::string_view kind = "sources";

  explicit Sources(const Container& container);

  uint64_t pairs() const { return meta_.pairs; }
  uint64_t blocks() const { return meta_.blocks; }
  std::optional<SourceRecord> get(uint64_t stable_id) const;
  // Stable ids of all pairs that are called so, rising.
  std::vector<uint64_t> find(std::string_view id) const;
  std::vector<SourceRecord> read_block(uint64_t block) const;

 private:
  class Reader;
  std::string_view name(uint64_t index) const;
  uint64_t block_of_pair(uint64_t pair) const;

  Container container_;
  SourcesMeta meta_;
  std::span<const std::byte> bytes_, dictionary_;
  std::string_view names_;
  PackedArray name_starts_, block_starts_, block_sizes_, block_pairs_, block_ids_, ids_, id_starts_;
};

}  // namespace dragoman::index
