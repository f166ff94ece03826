// Writes sources.bin from records that come by rising stable id. Memory grows with what is written, compressed, and 16
// bytes per pair.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/namespaces.h"
#include "index/sources.h"

namespace dragoman::index {

class SourcesBuilder {
 public:
  // Makes raw DEFLATE of bytes, given a dictionary; without one, blocks are stored as they are.
  using Compress = std::function<std::string(std::string_view plain, std::string_view dictionary)>;
  explicit SourcesBuilder(Compress compress = {}) : compress_(std::move(compress)) {}

  // Throws InputError where a stable id is not greater than the one before, or a record is too large.
  void add(SourceRecord record);
  uint64_t pairs() const { return pairs_; }
  void write(const std::string& path);
  // The same in memory.
  std::vector<std::byte> bytes();

 private:
  // Hands all sections to `use` as a ContainerWriter.
  template <class Use>
  void finish(Use&& use);
  uint64_t name(const std::string& text);
  void place(SourceRecord record);
  void choose_dictionary();
  void close_block();

  Compress compress_;
  uint64_t pairs_ = 0, largest_id_ = 0;
  // The first records, kept back until there is a dictionary made of them.
  std::vector<SourceRecord> first_;
  size_t first_bytes_ = 0;
  bool dictionary_chosen_ = false;
  std::string dictionary_;
  std::vector<SourceRecord> pending_;
  size_t pending_bytes_ = 0;
  std::unordered_map<std::string, uint64_t> names_;
  std::vector<uint64_t> name_starts_{0};
  std::string name_bytes_, blocks_;
  std::vector<uint64_t> block_starts_{0}, block_sizes_, block_pairs_{0}, block_ids_;
  std::vector<std::pair<uint64_t, uint64_t>> ids_;  // hash of the own id, pair
};

}  // namespace dragoman::index
