#include "index/bitext_builder.h"

#include <algorithm>

#include "index/suffix_array.h"

namespace dragoman::index {
namespace {

template <class Position>
PackedWriter sort_and_pack(std::span<const uint32_t> text, uint32_t alphabet, uint64_t separators,
                           ArrayMemory* memory) {
  const auto suffixes = suffix_array<Position>(text, alphabet);
  // Separators sort first, and nobody looks one up.
  PackedWriter packed(text.size() - separators, bits_for(text.size()), memory);
  for (uint64_t rank = separators; rank < text.size(); ++rank)
    packed.set(rank - separators, static_cast<uint64_t>(suffixes[rank]));
  return packed;
}

template <class Values>
PackedWriter pack(const Values& values, uint64_t largest, ArrayMemory* memory) {
  PackedWriter packed(values.size(), bits_for(largest), memory);
  for (uint64_t i = 0; i < values.size(); ++i) packed.set(i, values[i]);
  return packed;
}

}  // namespace

BitextBuilder::BitextBuilder(WordId source_vocabulary, WordId target_vocabulary, uint64_t seed, ArrayMemory* memory)
    : source_vocabulary_(source_vocabulary),
      target_vocabulary_(target_vocabulary),
      seed_(seed),
      memory_(memory),
      target_(memory),
      source_starts_(1, 0, memory),
      target_starts_(1, 0, memory),
      link_starts_(1, 0, memory),
      stable_ids_(memory),
      links_(memory) {}

void BitextBuilder::reserve(uint64_t sentences, uint64_t source_tokens, uint64_t target_tokens) {
  source_.reserve(source_tokens + sentences);
  target_.reserve(target_tokens);
  for (auto* starts : {&source_starts_, &target_starts_, &link_starts_}) starts->reserve(sentences + 1);
  stable_ids_.reserve(sentences);
}

void BitextBuilder::add(uint64_t stable_id, std::span<const WordId> source, std::span<const WordId> target,
                        Links& links, MemoryId memory) {
  if (memory != unnamed_memory) {
    named_sentences_.push_back(sentences());
    named_memories_.push_back(memory);
  }
  source_.insert(source_.end(), source.begin(), source.end());
  source_.push_back(Vocabulary::separator);
  target_.insert(target_.end(), target.begin(), target.end());
  encode_links(links, links_);
  source_starts_.push_back(source_.size());
  target_starts_.push_back(target_.size());
  link_starts_.push_back(links_.size());
  stable_ids_.push_back(stable_id);
}

void BitextBuilder::sort_suffixes() {
  const bool narrow = source_.size() < uint64_t{INT32_MAX};
  suffixes_.emplace(narrow ? sort_and_pack<int32_t>(source_, source_vocabulary_, sentences(), memory_)
                           : sort_and_pack<int64_t>(source_, source_vocabulary_, sentences(), memory_));
}

void BitextBuilder::add_to(ContainerWriter& writer) {
  std::vector<uint64_t> blocks(source_.size() / bitext_block + 1);
  for (uint64_t block = 0, sentence = 0; block < blocks.size(); ++block) {
    while (sentence < sentences() && source_starts_[sentence + 1] <= block * bitext_block) ++sentence;
    blocks[block] = sentence;
  }
  const uint64_t largest_id = stable_ids_.empty() ? 0 : *std::max_element(stable_ids_.begin(), stable_ids_.end());
  writer.add_record(
      "meta", BitextMeta{sentences(), source_.size(), target_.size(), links_.size(), seed_,
                         bits_for(source_vocabulary_ - 1), bits_for(target_vocabulary_ - 1), bits_for(largest_id), 0});
  packed_.clear();
  packed_.reserve(7);
  auto add = [&](std::string_view name, const auto& values, uint64_t largest) {
    packed_.push_back(pack(values, largest, memory_));
    writer.add(name, packed_.back().bytes());
  };
  add("source", source_, source_vocabulary_ - 1);
  add("source.starts", source_starts_, source_.size());
  add("source.blocks", blocks, sentences());
  writer.add("suffixes", suffixes_->bytes());
  add("target", target_, target_vocabulary_ - 1);
  add("target.starts", target_starts_, target_.size());
  writer.add("links", links_);
  add("links.starts", link_starts_, links_.size());
  add("stable_ids", stable_ids_, largest_id);
  if (corrections_ > 0) writer.add_record("corrections", corrections_);
  if (named_sentences_.empty()) return;
  writer.add("memories.sentences", named_sentences_);
  writer.add("memories.numbers", named_memories_);
  if (!memory_names_.empty()) writer.add("memories.names", std::as_bytes(std::span(memory_names_)));
}

void BitextBuilder::set_memory_names(std::span<const std::string> names) {
  memory_names_.clear();
  for (const std::string& name : names) memory_names_ += name + "\n";
}

}  // namespace dragoman::index
