#include "index/sources.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "base/inflate.h"

namespace dragoman::index {

std::string derived_id(IdForm form, const SourceRecord& record) {
  if (form == IdForm::file_and_line) return record.file + ":" + std::to_string(record.line);
  if (form == IdForm::unit) return record.unit;
  return record.file + ":" + record.unit;
}

size_t memory_of(const SourceRecord& record) {
  size_t bytes = sizeof record + record.id.size() + record.source.size() + record.target.size() + record.file.size() +
                 record.unit.size();
  for (const auto& attribute : record.attributes)
    bytes += sizeof attribute + attribute.first.size() + attribute.second.size();
  return bytes;
}

uint64_t id_hash(std::string_view id) { return hash_bytes(id, 0x736f7572636573); }

namespace {

// Numbers that a block has for each pair, beside those of its attributes.
constexpr uint64_t columns = 8;

}  // namespace

// Walks the bytes of one block; whatever does not fit is the container's fault.
class Sources::Reader {
 public:
  Reader(const Sources& sources, std::span<const std::byte> bytes) : sources_(sources), bytes_(bytes) {}

  uint64_t number() {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) break;
      const auto byte = static_cast<uint64_t>(bytes_[at_++]);
      if (shift == 63 && byte > 1) break;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
    damaged();
  }
  std::vector<uint64_t> numbers(uint64_t count) {
    // Every number takes a byte at least.
    if (count > bytes_.size() - at_) damaged();
    std::vector<uint64_t> values(count);
    for (uint64_t& value : values) value = number();
    return values;
  }
  std::string text(uint64_t size) {
    if (size > bytes_.size() - at_) damaged();
    const char* begin = reinterpret_cast<const char*>(bytes_.data()) + at_;
    at_ += size;
    return std::string(counted({begin, static_cast<size_t>(size)}));
  }
  bool done() const { return at_ == bytes_.size(); }
  // Counts memory that is about to be taken: names stand in many records, and few bytes must not ask for much.
  void take(uint64_t bytes) {
    if (bytes > most_block_memory - taken_) damaged();
    taken_ += bytes;
  }
  std::string_view counted(std::string_view text) {
    take(text.size());
    return text;
  }
  [[noreturn]] void damaged() const { sources_.container_.fail("blocks", "holds a block that cannot be read"); }

 private:
  const Sources& sources_;
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  uint64_t taken_ = 0;
};

Sources::Sources(const Container& container) : container_(container), meta_(container.record<SourcesMeta>("meta")) {
  const uint64_t limit = uint64_t{1} << 44;
  if (meta_.pairs >= limit || meta_.blocks > meta_.pairs || meta_.names >= limit || meta_.name_bytes >= limit ||
      meta_.block_bytes >= limit || meta_.bucket_bits > 40 || meta_.largest_block > largest_source_block)
    container.fail("meta", "has sizes that cannot be");
  bytes_ = container.bytes("blocks");
  if (container.has("dictionary")) dictionary_ = container.bytes("dictionary");
  if (dictionary_.size() > largest_dictionary) container.fail("dictionary", "is larger than it can be");
  const auto names = container.bytes("names");
  if (bytes_.size() != meta_.block_bytes) container.fail("blocks", "has another size than it should");
  if (names.size() != meta_.name_bytes) container.fail("names", "has another size than it should");
  names_ = {reinterpret_cast<const char*>(names.data()), names.size()};
  name_starts_ = PackedArray(container, "names.starts", meta_.names + 1, bits_for(meta_.name_bytes));
  block_starts_ = PackedArray(container, "blocks.starts", meta_.blocks + 1, bits_for(meta_.block_bytes));
  block_sizes_ = PackedArray(container, "blocks.sizes", meta_.blocks, bits_for(meta_.largest_block));
  block_pairs_ = PackedArray(container, "blocks.pairs", meta_.blocks + 1, bits_for(meta_.pairs));
  block_ids_ = PackedArray(container, "blocks.ids", meta_.blocks, bits_for(meta_.largest_id));
  ids_ = PackedArray(container, "ids", meta_.pairs, id_hash_bits + bits_for(meta_.pairs));
  const uint64_t buckets = uint64_t{1} << meta_.bucket_bits;
  id_starts_ = PackedArray(container, "ids.starts", buckets + 1, bits_for(meta_.pairs));
}

std::string_view Sources::name(uint64_t index) const {
  if (index >= meta_.names) container_.fail("names", "has fewer strings than blocks refer to");
  const uint64_t begin = name_starts_[index], end = name_starts_[index + 1];
  if (begin > end || end > names_.size()) container_.fail("names.starts", "is not in order");
  return names_.substr(begin, end - begin);
}

std::vector<SourceRecord> Sources::read_block(uint64_t block) const {
  if (block >= meta_.blocks) return {};
  const uint64_t begin = block_starts_[block], end = block_starts_[block + 1];
  if (begin > end || end > bytes_.size()) container_.fail("blocks.starts", "is not in order");
  const uint64_t first_pair = block_pairs_[block], last_pair = block_pairs_[block + 1];
  if (first_pair > last_pair || last_pair > meta_.pairs) container_.fail("blocks.pairs", "is not in order");
  const uint64_t size = block_sizes_[block], count = last_pair - first_pair;
  const std::span<const std::byte> packed = bytes_.subspan(begin, end - begin);
  // Deflate makes nothing more than 1032 times smaller: a block that says so is not read into memory.
  if (size > largest_source_block || size / 1032 > packed.size())
    container_.fail("blocks.sizes", "names a size that cannot be");
  std::vector<std::byte> plain;
  std::span<const std::byte> content = packed;
  if (size != packed.size()) {
    plain.resize(dictionary_.size() + size);
    std::ranges::copy(dictionary_, plain.begin());
    if (!inflate(packed, plain, dictionary_.size()))
      container_.fail("blocks", "holds a block that cannot be decompressed");
    content = std::span<const std::byte>(plain).subspan(dictionary_.size());
  }
  Reader reader(*this, content);
  reader.take(count * (sizeof(SourceRecord) + columns * sizeof(uint64_t)));
  const auto id_steps = reader.numbers(count), files = reader.numbers(count), line_steps = reader.numbers(count),
             id_forms = reader.numbers(count), unit_sizes = reader.numbers(count),
             attribute_counts = reader.numbers(count), source_sizes = reader.numbers(count),
             target_sizes = reader.numbers(count);
  uint64_t attributes = 0;
  for (uint64_t attribute_count : attribute_counts) {
    if (attribute_count > content.size()) reader.damaged();
    attributes += attribute_count;
  }
  reader.take(attributes * (sizeof(SourceRecord::Attribute) + 2 * sizeof(uint64_t)));
  const auto keys = reader.numbers(attributes), value_sizes = reader.numbers(attributes);
  std::vector<SourceRecord> records(count);
  uint64_t stable_id = block_ids_[block], line = 0;
  for (uint64_t i = 0; i < count; ++i) {
    records[i].stable_id = stable_id += id_steps[i];
    records[i].file = reader.counted(name(files[i]));
    // Zigzag: differences of either sign.
    line += line_steps[i] >> 1 ^ (~(line_steps[i] & 1) + 1);
    records[i].line = line;
  }
  const auto own = static_cast<uint64_t>(IdForm::own);
  for (uint64_t i = 0; i < count; ++i)
    if (id_forms[i] >= own) records[i].id = reader.text(id_forms[i] - own);
  for (uint64_t i = 0; i < count; ++i) records[i].unit = reader.text(unit_sizes[i]);
  for (uint64_t i = 0, at = 0; i < count; ++i)
    for (uint64_t attribute = 0; attribute < attribute_counts[i]; ++attribute, ++at)
      records[i].attributes.emplace_back(reader.counted(name(keys[at])), reader.text(value_sizes[at]));
  for (uint64_t i = 0; i < count; ++i) records[i].source = reader.text(source_sizes[i]);
  for (uint64_t i = 0; i < count; ++i) records[i].target = reader.text(target_sizes[i]);
  if (!reader.done()) reader.damaged();
  for (uint64_t i = 0; i < count; ++i)
    if (id_forms[i] < own) {
      records[i].id = derived_id(static_cast<IdForm>(id_forms[i]), records[i]);
      reader.take(records[i].id.size());
    }
  return records;
}

uint64_t Sources::block_of_pair(uint64_t pair) const {
  uint64_t begin = 0, end = meta_.blocks;
  while (begin < end) {
    const uint64_t middle = begin + (end - begin) / 2;
    if (block_pairs_[middle + 1] <= pair)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

std::optional<SourceRecord> Sources::get(uint64_t stable_id) const {
  uint64_t begin = 0, end = meta_.blocks;
  while (begin < end) {
    const uint64_t middle = begin + (end - begin) / 2;
    if (block_ids_[middle] <= stable_id)
      begin = middle + 1;
    else
      end = middle;
  }
  if (begin == 0) return std::nullopt;
  std::vector<SourceRecord> records = read_block(begin - 1);
  const auto record = std::ranges::lower_bound(records, stable_id, {}, &SourceRecord::stable_id);
  if (record == records.end() || record->stable_id != stable_id) return std::nullopt;
  return std::move(*record);
}

std::vector<uint64_t> Sources::find(std::string_view id) const {
  const uint64_t hash = id_hash(id);
  const uint64_t bucket = meta_.bucket_bits ? hash >> (64 - meta_.bucket_bits) : 0;
  const uint64_t begin = id_starts_[bucket], end = id_starts_[bucket + 1];
  if (begin > end || end > ids_.size()) container_.fail("ids.starts", "is not in order");
  const uint32_t pair_bits = bits_for(meta_.pairs);
  std::vector<uint64_t> pairs;
  for (uint64_t at = begin; at < end; ++at)
    if (ids_[at] >> pair_bits == (hash & ((1u << id_hash_bits) - 1)))
      pairs.push_back(ids_[at] & ((uint64_t{1} << pair_bits) - 1));
  // In order, so that every block is read once.
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  uint64_t block = UINT64_MAX;
  std::vector<SourceRecord> records;
  std::vector<uint64_t> stable_ids;
  for (uint64_t pair : pairs) {
    const uint64_t its_block = block_of_pair(pair);
    if (its_block != block) records = read_block(block = its_block);
    if (block >= meta_.blocks || pair - block_pairs_[block] >= records.size())
      container_.fail("ids", "names a pair that is not there");
    const SourceRecord& record = records[pair - block_pairs_[block]];
    if (record.id == id) stable_ids.push_back(record.stable_id);
  }
  std::ranges::sort(stable_ids);
  return stable_ids;
}

}  // namespace dragoman::index
