#include "index/index_builder.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/errors.h"
#include "index/bitext.h"
#include "index/bitext_builder.h"
#include "index/index.h"
#include "index/lexicon.h"
#include "text/lines.h"
#include "text/vocabulary.h"

namespace dragoman::index {
namespace {

// One side of the pairs that are indexed, under the ids of a vocabulary of these pairs alone.
class ChosenSide {
 public:
  ChosenSide(const IdText& text, const std::optional<std::vector<uint64_t>>& chosen)
      : text_(text), words_(text.words()), tokens_(text.tokens()) {
    if (!chosen) return;
    tokens_ = 0;
    std::vector<uint64_t> counts(words_.size());
    std::vector<WordId> ids;
    for (uint64_t sentence : *chosen) {
      text_.read(sentence, ids);
      for (WordId id : ids) ++counts[id];
      tokens_ += ids.size();
    }
    renumber(counts);
  }

  const Vocabulary& words() const { return words_; }
  uint64_t tokens() const { return tokens_; }
  void read(uint64_t sentence, std::vector<WordId>& ids) const {
    text_.read(sentence, ids);
    if (ids.size() > IndexedBitext::max_sentence_length)
      throw InputError(sentence + 1, "a sentence may have at most " +
                                         std::to_string(IndexedBitext::max_sentence_length) + " words; split it");
    if (!new_ids_.empty())
      for (WordId& id : ids) id = new_ids_[id];
  }

 private:
  void renumber(const std::vector<uint64_t>& counts) {
    std::vector<WordId> order;
    for (WordId id = Vocabulary::first_word; id < counts.size(); ++id)
      if (counts[id] > 0) order.push_back(id);
    std::sort(order.begin(), order.end(), [&](WordId a, WordId b) {
      return counts[a] != counts[b] ? counts[a] > counts[b] : text_.words().word(a) < text_.words().word(b);
    });
    new_ids_.resize(counts.size());
    std::vector<std::string_view> ordered;
    for (WordId id : order) {
      new_ids_[id] = Vocabulary::first_word + static_cast<WordId>(ordered.size());
      ordered.push_back(text_.words().word(id));
    }
    words_ = Vocabulary::from_words(ordered);
  }

  const IdText& text_;
  Vocabulary words_;
  uint64_t tokens_;
  std::vector<WordId> new_ids_;  // by id in the whole text; empty where all of it is indexed
};

void require_pairs(const std::vector<uint64_t>& chosen, uint64_t pairs) {
  for (size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] >= pairs || (i > 0 && chosen[i] <= chosen[i - 1]))
      throw InputError(0, "the chosen pairs must be numbers of pairs of the text, each greater than the one before");
}

}  // namespace

void write_index(const std::string& directory, BitextBuilder& bitext, LexiconBuilder& lexicon, Monitor& monitor) {
  const std::filesystem::path path(directory);
  {
    ContainerWriter writer(Lexicon::kind);
    lexicon.add_to(writer);
    writer.write((path / "lexicon.bin").string());
  }
  // After the lexicon has given its memory back.
  bitext.sort_suffixes();
  monitor.poll();
  ContainerWriter writer(IndexedBitext::kind);
  bitext.add_to(writer);
  writer.write((path / "bitext.bin").string());
}

IndexCounts build_index(const std::string& directory, const IndexedText& text, const IndexOptions& options,
                        Monitor& monitor, ArrayMemory* memory) {
  require_equal_lines(text.source.sentences(), text.target.sentences(), text.links.pairs());
  if (text.chosen) require_pairs(*text.chosen, text.source.sentences());
  const uint64_t sentences = text.chosen ? text.chosen->size() : text.source.sentences();
  monitor.start(sentences * 3);
  const ChosenSide source(text.source, text.chosen), target(text.target, text.chosen);
  monitor.poll();

  std::vector<uint64_t> order(sentences);
  for (uint64_t i = 0; i < sentences; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) {
    return sample_order(options.sample_seed, a) < sample_order(options.sample_seed, b);
  });

  IndexCounts counts{sentences, 0, 0, 0};
  BitextBuilder bitext(source.words().size(), target.words().size(), options.sample_seed, memory);
  LexiconBuilder lexicon(source.words().size(), target.words().size(), memory);
  bitext.reserve(sentences, source.tokens(), target.tokens());
  std::vector<WordId> source_ids, target_ids;
  Links pairs;
  for (uint64_t i = 0; i < sentences; ++i) {
    if (i % poll_every == 0) monitor.poll();
    const uint64_t pair = text.chosen ? (*text.chosen)[order[i]] : order[i];
    source.read(pair, source_ids);
    target.read(pair, target_ids);
    text.links.read(pair, source_ids.size(), target_ids.size(), pairs);
    if (pairs.size() > IndexedBitext::max_links)
      throw InputError(pair + 1, "a pair may have at most " + std::to_string(IndexedBitext::max_links) + " links");
    bitext.add(order[i], source_ids, target_ids, pairs);
    lexicon.add(source_ids, target_ids, pairs);
    counts.source_tokens += source_ids.size();
    counts.target_tokens += target_ids.size();
    counts.links += pairs.size();
    monitor.add(1);
  }
  monitor.poll();
  const std::filesystem::path path(directory);
  {
    ContainerWriter writer(Index::vocabulary_kind);
    source.words().add_to(writer, "source");
    target.words().add_to(writer, "target");
    writer.write((path / "vocab.bin").string());
  }
  write_index(directory, bitext, lexicon, monitor);
  monitor.add(sentences * 2);
  monitor.poll();
  return counts;
}

}  // namespace dragoman::index
