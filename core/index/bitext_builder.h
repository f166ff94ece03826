// Makes bitext.bin: takes sentence pairs in sample order, sorts the suffixes, packs everything. Sorting walks at random
// over the source text and its suffixes, which take 8 bytes a source token of plain memory together; everything else,
// about 12 bytes a source token and 7 a target token, may lie in a scratch space.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/array.h"
#include "base/container.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "base/packed_array.h"
#include "index/memories.h"
#include "text/vocabulary.h"

namespace dragoman::index {

// One sentence number is kept for every so many symbols of the source text.
inline constexpr uint64_t bitext_block = 64;

struct BitextMeta {
  uint64_t sentences;
  uint64_t source_size;
  uint64_t target_size;
  uint64_t link_bytes;
  uint64_t seed;
  uint32_t source_width;
  uint32_t target_width;
  uint32_t stable_id_width;
  uint32_t reserved;
};

class BitextBuilder {
 public:
  BitextBuilder(WordId source_vocabulary, WordId target_vocabulary, uint64_t seed,
                ArrayMemory* memory = array_memory());

  // Room for a text of this size, so that nothing moves while it grows.
  void reserve(uint64_t sentences, uint64_t source_tokens, uint64_t target_tokens);
  // In sample order. Links must lie inside the sentences; they are sorted here.
  void add(uint64_t stable_id, std::span<const WordId> source, std::span<const WordId> target, Links& links,
           MemoryId memory = unnamed_memory);
  void sort_suffixes();
  // So many sentences, the first ones, are corrections.
  void set_corrections(uint64_t count) { corrections_ = count; }
  // What the numbers of memories mean, from 1 on; without line ends.
  void set_memory_names(std::span<const std::string> names);
  // After sort_suffixes; the builder must outlive writer.write().
  void add_to(ContainerWriter& writer);

  uint64_t source_size() const { return source_.size(); }
  uint64_t sentences() const { return stable_ids_.size(); }
  std::span<const uint32_t> source() const { return source_; }

 private:
  WordId source_vocabulary_, target_vocabulary_;
  uint64_t seed_;
  uint64_t corrections_ = 0;
  ArrayMemory* memory_;
  std::vector<uint32_t> source_;
  Array<uint32_t> target_;
  Array<uint64_t> source_starts_, target_starts_, link_starts_, stable_ids_;
  Array<uint8_t> links_;
  std::vector<uint64_t> named_sentences_;
  std::vector<MemoryId> named_memories_;
  std::string memory_names_;
  std::optional<PackedWriter> suffixes_;
  std::vector<PackedWriter> packed_;
};

}  // namespace dragoman::index
