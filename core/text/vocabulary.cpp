#include "text/vocabulary.h"

#include <algorithm>

#include "base/hash.h"
#include "text/lines.h"
#include "text/stored_words.h"

namespace dragoman::text {
namespace {

struct SizeRecord {
  uint64_t words;
};

}  // namespace

Vocabulary Vocabulary::build(std::vector<std::pair<std::string, uint64_t>> counts) {
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::vector<std::string_view> words;
  words.reserve(counts.size());
  for (const auto& entry : counts) words.push_back(entry.first);
  return from_words(words);
}

Vocabulary Vocabulary::from_words(std::span<const std::string_view> words, size_t hidden) {
  if (words.size() > UINT32_MAX - first_word) throw InputError(0, "there are more different words than ids");
  uint64_t bytes = 0;
  for (std::string_view word : words) bytes += word.size();
  auto owned = std::make_shared<Owned>(Owned{
      {}, PackedWriter(words.size() + 1, bits_for(bytes)), PackedTableWriter(words.size(), words.size() + first_word)});
  owned->strings.reserve(bytes);
  for (size_t i = 0; i < words.size(); ++i) {
    owned->offsets.set(i, owned->strings.size());
    owned->strings += words[i];
    if (i >= hidden) owned->table.add(hash_bytes(words[i]), i + first_word);
  }
  owned->offsets.set(words.size(), owned->strings.size());

  Vocabulary vocabulary;
  vocabulary.size_ = static_cast<WordId>(words.size()) + first_word;
  vocabulary.offsets_ = owned->offsets.view();
  vocabulary.table_ = owned->table.view();
  vocabulary.strings_ = owned->strings;
  vocabulary.owned_ = std::move(owned);
  return vocabulary;
}

Vocabulary Vocabulary::open(const Container& container, const std::string& prefix) {
  Vocabulary vocabulary;
  const uint64_t words = container.record<SizeRecord>(prefix + ".size").words;
  if (words > UINT32_MAX - first_word) container.fail(prefix + ".size", "counts more words than there are ids");
  const auto strings = container.bytes(prefix + ".strings");
  vocabulary.size_ = static_cast<WordId>(words) + first_word;
  vocabulary.strings_ = {reinterpret_cast<const char*>(strings.data()), strings.size()};
  vocabulary.offsets_ = PackedArray(container, prefix + ".offsets", words + 1, bits_for(strings.size()));
  require_words(container, prefix, vocabulary.strings_, vocabulary.offsets_);
  vocabulary.table_ = PackedTable(container, prefix + ".table", words, words + first_word);
  vocabulary.buffer_ = container.buffer();
  if (container.has(prefix + ".learned")) {
    vocabulary.learned_ = container.array<WordId>(prefix + ".learned");
    if (!std::is_sorted(vocabulary.learned_.begin(), vocabulary.learned_.end()))
      container.fail(prefix + ".learned", "is not in order");
  }
  return vocabulary;
}

Vocabulary Vocabulary::extended(std::shared_ptr<const WordOverlay> overlay, WordId count, uint64_t version) const {
  Vocabulary vocabulary = *this;
  vocabulary.overlay_ = std::move(overlay);
  vocabulary.overlay_size_ = count;
  vocabulary.overlay_version_ = version;
  return vocabulary;
}

Vocabulary Vocabulary::written_by(std::shared_ptr<const std::vector<bool>> memories) const {
  Vocabulary vocabulary = *this;
  vocabulary.applied_ = std::move(memories);
  return vocabulary;
}

bool Vocabulary::learned(WordId id) const {
  if (id >= size_) return id < size();
  return std::binary_search(learned_.begin(), learned_.end(), id);
}

std::string_view Vocabulary::written_form(WordId id) const {
  return id >= size_ && id < size() ? overlay_->form(id - size_, overlay_version_, applied_.get()) : std::string_view();
}

void Vocabulary::add_to(ContainerWriter& writer, const std::string& prefix) const {
  writer.add_record(prefix + ".size", SizeRecord{size_ - first_word});
  writer.add(prefix + ".strings", std::as_bytes(std::span(strings_)));
  writer.add(prefix + ".offsets", offsets_.bytes());
  writer.add(prefix + ".table", table_.bytes());
  if (!learned_.empty()) writer.add(prefix + ".learned", learned_);
}

WordId Vocabulary::find(std::string_view word) const {
  const auto id = table_.find(hash_bytes(word), [&](uint64_t known) {
    return known >= first_word && known < size_ && this->word(static_cast<WordId>(known)) == word;
  });
  if (id != separator) return static_cast<WordId>(id);
  if (overlay_size_ > 0)
    if (const auto place = overlay_->find(word); place && *place < overlay_size_) return size_ + *place;
  return unknown;
}

std::string_view Vocabulary::word(WordId id) const {
  if (id == separator) return {};
  if (id >= size_ && id < size()) return overlay_->word(id - size_);
  if (id < first_word || id >= size_) return "<unk>";
  const uint64_t begin = offsets_[id - first_word];
  return {strings_.data() + begin, static_cast<size_t>(offsets_[id - first_word + 1] - begin)};
}

std::vector<WordId> Vocabulary::ids(std::string_view line) const {
  std::vector<WordId> ids;
  for_each_word(line, [&](std::string_view word) { ids.push_back(find(word)); });
  return ids;
}

void WordCounts::count(std::string_view line) {
  for_each_word(line, [&](std::string_view word) {
    if (auto entry = counts_.find(word); entry != counts_.end()) {
      ++entry->second;
    } else {
      counts_.emplace(word, 1);
    }
  });
}

void WordCounts::add(const WordCounts& other) {
  for (const auto& [word, count] : other.counts_) counts_[word] += count;
}

std::vector<std::pair<std::string, uint64_t>> WordCounts::take() {
  std::vector<std::pair<std::string, uint64_t>> counts(counts_.begin(), counts_.end());
  counts_.clear();
  return counts;
}

}  // namespace dragoman::text
