#include "index/bitext.h"

#include <algorithm>

#include "base/utf8.h"
#include "index/bitext_builder.h"

namespace dragoman::index {

IndexedBitext::IndexedBitext(const Container& container, WordId source_vocabulary, WordId target_vocabulary)
    : container_(container), source_vocabulary_(source_vocabulary), target_vocabulary_(target_vocabulary) {
  const auto meta = container.record<BitextMeta>("meta");
  const uint64_t limit = uint64_t{1} << 40;
  if (meta.sentences >= limit || meta.source_size >= limit || meta.target_size >= limit || meta.link_bytes >= limit ||
      meta.sentences > meta.source_size)
    container.fail("meta", "has sizes that cannot be");
  sentences_ = meta.sentences;
  seed_ = meta.seed;
  source_ = PackedArray(container, "source", meta.source_size, meta.source_width);
  target_ = PackedArray(container, "target", meta.target_size, meta.target_width);
  suffixes_ = PackedArray(container, "suffixes", meta.source_size - sentences_, bits_for(meta.source_size));
  source_starts_ = PackedArray(container, "source.starts", sentences_ + 1, bits_for(meta.source_size));
  target_starts_ = PackedArray(container, "target.starts", sentences_ + 1, bits_for(meta.target_size));
  link_starts_ = PackedArray(container, "links.starts", sentences_ + 1, bits_for(meta.link_bytes));
  stable_ids_ = PackedArray(container, "stable_ids", sentences_, meta.stable_id_width);
  blocks_ = PackedArray(container, "source.blocks", meta.source_size / bitext_block + 1, bits_for(sentences_));
  links_ = container.array<uint8_t>("links", meta.link_bytes);
  if (container.has("corrections")) {
    corrections_ = container.record<uint64_t>("corrections");
    if (corrections_ > sentences_) container.fail("corrections", "counts more sentences than there are");
  }
  open_memories();
}

void IndexedBitext::open_memories() {
  if (!container_.has("memories.sentences")) return;
  named_sentences_ = container_.array<uint64_t>("memories.sentences");
  named_memories_ = container_.array<MemoryId>("memories.numbers", named_sentences_.size());
  for (size_t i = 0; i < named_sentences_.size(); ++i)
    if (named_sentences_[i] >= sentences_ || (i > 0 && named_sentences_[i] <= named_sentences_[i - 1]))
      fail("memories.sentences", "is not in order");
}

std::vector<std::string> IndexedBitext::memory_names() const {
  std::vector<std::string> names;
  if (!container_.has("memories.names")) return names;
  const auto bytes = container_.bytes("memories.names");
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (find_invalid_utf8(text) != std::string_view::npos) fail("memories.names", "is not text");
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    names.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

MemoryId IndexedBitext::find_memory(uint64_t sentence) const {
  const auto place = std::lower_bound(named_sentences_.begin(), named_sentences_.end(), sentence);
  if (place == named_sentences_.end() || *place != sentence) return unnamed_memory;
  return named_memories_[static_cast<size_t>(place - named_sentences_.begin())];
}

uint64_t IndexedBitext::sentence_of(uint64_t position) const {
  uint64_t sentence = blocks_[position / bitext_block];
  // Every sentence has a symbol at least, so that no more than these can end in a block.
  const uint64_t end = std::min(sentences_, sentence + bitext_block);
  while (sentence < end && source_starts_[sentence + 1] <= position) ++sentence;
  if (sentence >= end || source_starts_[sentence] > position) fail("source.blocks", "is not in order");
  return sentence;
}

TextSpan IndexedBitext::range(const PackedArray& starts, uint64_t sentence, uint64_t size,
                              std::string_view section) const {
  const TextSpan span{starts[sentence], starts[sentence + 1]};
  if (span.begin > span.end || span.end > size) fail(section, "is not in order");
  return span;
}

TextSpan IndexedBitext::source_range(uint64_t sentence) const {
  TextSpan span = range(source_starts_, sentence, source_.size(), "source.starts");
  if (span.size() == 0 || span.size() > max_sentence_length + 1) fail("source.starts", "has an impossible length");
  --span.end;
  return span;
}

TextSpan IndexedBitext::target_range(uint64_t sentence) const {
  const TextSpan span = range(target_starts_, sentence, target_.size(), "target.starts");
  if (span.size() > max_sentence_length) fail("target.starts", "has an impossible length");
  return span;
}

std::span<const uint8_t> IndexedBitext::links(uint64_t sentence) const {
  const TextSpan span = range(link_starts_, sentence, links_.size(), "links.starts");
  return links_.subspan(span.begin, span.size());
}

std::optional<uint64_t> IndexedBitext::find_sentence(uint64_t stable_id) const {
  // Ids with equal order, which a 64-bit mix of 64 bits never gives, would need a scan here.
  const uint64_t order = sample_order(seed_, stable_id);
  auto search = [&](uint64_t begin, uint64_t end) -> std::optional<uint64_t> {
    const uint64_t last = end;
    while (begin < end) {
      const uint64_t middle = begin + (end - begin) / 2;
      if (sample_order(seed_, stable_ids_[middle]) < order)
        begin = middle + 1;
      else
        end = middle;
    }
    if (begin < last && stable_ids_[begin] == stable_id) return begin;
    return std::nullopt;
  };
  if (corrections_ > 0)
    if (const auto correction = search(0, corrections_)) return correction;
  return search(corrections_, sentences_);
}

}  // namespace dragoman::index
