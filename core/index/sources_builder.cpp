#include "index/sources_builder.h"

#include <algorithm>
#include <deque>

#include "base/errors.h"
#include "base/varint.h"

namespace dragoman::index {
namespace {

template <class Value>
void append_column(std::string& out, const std::vector<SourceRecord>& records, Value&& value) {
  for (const SourceRecord& record : records) append_varint(out, value(record));
}

uint64_t zigzag(uint64_t now, uint64_t before) {
  const auto difference = static_cast<int64_t>(now - before);
  return static_cast<uint64_t>(difference) << 1 ^ static_cast<uint64_t>(difference >> 63);
}

uint64_t form_of(const SourceRecord& record) {
  for (IdForm form : {IdForm::file_and_line, IdForm::unit, IdForm::file_and_unit})
    if (record.id == derived_id(form, record)) return static_cast<uint64_t>(form);
  return static_cast<uint64_t>(IdForm::own) + record.id.size();
}

size_t size_of(const SourceRecord& record) {
  size_t bytes = record.id.size() + record.unit.size() + record.source.size() + record.target.size();
  for (const auto& [key, value] : record.attributes) bytes += value.size() + 4;
  return bytes;
}

}  // namespace

uint64_t SourcesBuilder::name(const std::string& text) {
  const auto [entry, added] = names_.try_emplace(text, names_.size());
  if (added) {
    name_bytes_ += text;
    name_starts_.push_back(name_bytes_.size());
  }
  return entry->second;
}

void SourcesBuilder::add(SourceRecord record) {
  if (pairs_ > 0 && record.stable_id <= largest_id_)
    throw InputError(0, "sources must come by rising stable id, but " + std::to_string(record.stable_id) +
                            " comes after " + std::to_string(largest_id_));
  if (record.stable_id >> PackedArray::max_width)
    throw InputError(0, "stable id " + std::to_string(record.stable_id) + " is too large");
  const size_t bytes = size_of(record);
  if (bytes + 128 > largest_source_block || memory_of(record) > most_block_memory)
    throw InputError(0, "pair " + record.id.substr(0, 80) + " is larger than 64 MB");
  largest_id_ = record.stable_id;
  ids_.emplace_back(id_hash(record.id), pairs_++);
  if (dictionary_chosen_) return place(std::move(record));
  first_bytes_ += bytes;
  first_.push_back(std::move(record));
  if (first_bytes_ >= 4 * largest_dictionary) choose_dictionary();
}

// Half of it source text, half target text. What matches last is reached longest, so the blocks' own beginning, which
// is source text, finds its like at the end.
void SourcesBuilder::choose_dictionary() {
  dictionary_chosen_ = true;
  std::string source, target;
  for (const SourceRecord& record : first_) source += record.source, target += record.target;
  auto half = [](const std::string& text) { return text.substr(0, largest_dictionary / 2); };
  if (compress_) dictionary_ = half(target) + half(source);
  for (SourceRecord& record : first_) place(std::move(record));
  first_.clear();
}

void SourcesBuilder::place(SourceRecord record) {
  const size_t bytes = size_of(record);
  if (!pending_.empty() && pending_bytes_ + bytes > source_block_bytes) close_block();
  pending_bytes_ += bytes;
  pending_.push_back(std::move(record));
}

void SourcesBuilder::close_block() {
  std::string plain;
  uint64_t id = pending_[0].stable_id, line = 0;
  append_column(plain, pending_, [&](const SourceRecord& record) {
    const uint64_t step = record.stable_id - id;
    id = record.stable_id;
    return step;
  });
  append_column(plain, pending_, [&](const SourceRecord& record) { return name(record.file); });
  append_column(plain, pending_, [&](const SourceRecord& record) {
    const uint64_t step = zigzag(record.line, line);
    line = record.line;
    return step;
  });
  append_column(plain, pending_, form_of);
  append_column(plain, pending_, [](const SourceRecord& record) { return record.unit.size(); });
  append_column(plain, pending_, [](const SourceRecord& record) { return record.attributes.size(); });
  append_column(plain, pending_, [](const SourceRecord& record) { return record.source.size(); });
  append_column(plain, pending_, [](const SourceRecord& record) { return record.target.size(); });
  for (const SourceRecord& record : pending_)
    for (const auto& [key, value] : record.attributes) append_varint(plain, name(key));
  for (const SourceRecord& record : pending_)
    for (const auto& [key, value] : record.attributes) append_varint(plain, value.size());
  for (const SourceRecord& record : pending_)
    if (form_of(record) >= static_cast<uint64_t>(IdForm::own)) plain += record.id;
  for (const SourceRecord& record : pending_) plain += record.unit;
  for (const SourceRecord& record : pending_)
    for (const auto& [key, value] : record.attributes) plain += value;
  for (const SourceRecord& record : pending_) plain += record.source;
  for (const SourceRecord& record : pending_) plain += record.target;

  const std::string packed = compress_ ? compress_(plain, dictionary_) : plain;
  // A block that did not shrink is stored: equal sizes say so.
  blocks_ += packed.size() < plain.size() ? packed : plain;
  block_starts_.push_back(blocks_.size());
  block_sizes_.push_back(plain.size());
  block_ids_.push_back(pending_[0].stable_id);
  block_pairs_.push_back(block_pairs_.back() + pending_.size());
  pending_.clear();
  pending_bytes_ = 0;
}

template <class Use>
void SourcesBuilder::finish(Use&& use) {
  if (!dictionary_chosen_) choose_dictionary();
  if (!pending_.empty()) close_block();
  SourcesMeta meta{pairs_, block_sizes_.size(), names_.size(), name_bytes_.size(), blocks_.size(), largest_id_, 0, 0};
  for (uint64_t size : block_sizes_) meta.largest_block = std::max(meta.largest_block, static_cast<uint32_t>(size));
  // About eight pairs to a bucket.
  while (meta.bucket_bits < 40 && pairs_ >> meta.bucket_bits > 8) ++meta.bucket_bits;
  std::ranges::sort(ids_);
  const uint32_t pair_bits = bits_for(pairs_);
  std::vector<uint64_t> entries, starts((uint64_t{1} << meta.bucket_bits) + 1);
  entries.reserve(ids_.size());
  for (const auto& [hash, pair] : ids_) {
    entries.push_back((hash & ((1u << id_hash_bits) - 1)) << pair_bits | pair);
    ++starts[(meta.bucket_bits ? hash >> (64 - meta.bucket_bits) : 0) + 1];
  }
  for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];

  ContainerWriter writer(Sources::kind);
  std::deque<PackedWriter> packed;
  auto add = [&](std::string_view section, const std::vector<uint64_t>& values, uint32_t width) {
    PackedWriter& array = packed.emplace_back(values.size(), width);
    for (size_t i = 0; i < values.size(); ++i) array.set(i, values[i]);
    writer.add(section, array.bytes());
  };
  writer.add_record("meta", meta);
  writer.add("names", std::as_bytes(std::span(name_bytes_)));
  add("names.starts", name_starts_, bits_for(name_bytes_.size()));
  if (!dictionary_.empty()) writer.add("dictionary", std::as_bytes(std::span(dictionary_)));
  writer.add("blocks", std::as_bytes(std::span(blocks_)));
  add("blocks.starts", block_starts_, bits_for(blocks_.size()));
  add("blocks.sizes", block_sizes_, bits_for(meta.largest_block));
  add("blocks.pairs", block_pairs_, bits_for(pairs_));
  add("blocks.ids", block_ids_, bits_for(largest_id_));
  add("ids", entries, id_hash_bits + pair_bits);
  add("ids.starts", starts, bits_for(pairs_));
  use(writer);
}

void SourcesBuilder::write(const std::string& path) {
  finish([&](const ContainerWriter& writer) { writer.write(path); });
}

std::vector<std::byte> SourcesBuilder::bytes() {
  std::vector<std::byte> bytes;
  finish([&](const ContainerWriter& writer) { bytes = writer.bytes(); });
  return bytes;
}

}  // namespace dragoman::index
