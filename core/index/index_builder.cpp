#include "index/index_builder.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/errors.h"
#include "base/utf8.h"
#include "index/bitext.h"
#include "index/bitext_builder.h"
#include "index/index.h"
#include "index/lexicon.h"
#include "text/lines.h"
#include "text/vocabulary.h"

namespace dragoman::index {
namespace {

Vocabulary vocabulary_of(const std::vector<std::string_view>& lines, Monitor& monitor) {
  WordCounts counts;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i % poll_every == 0) monitor.poll();
    counts.count(lines[i]);
    monitor.add(1);
  }
  return Vocabulary::build(counts.take());
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

IndexCounts build_index(const std::string& directory, std::string_view source, std::string_view target,
                        std::string_view links, const IndexOptions& options, Monitor& monitor) {
  require_text(source);
  require_text(target);
  const auto source_lines = split_lines(source), target_lines = split_lines(target), link_lines = split_lines(links);
  if (source_lines.size() != target_lines.size() || source_lines.size() != link_lines.size())
    throw InputError(0, "source, target and links must have as many lines as each other, but have " +
                            std::to_string(source_lines.size()) + ", " + std::to_string(target_lines.size()) + " and " +
                            std::to_string(link_lines.size()));
  const uint64_t sentences = source_lines.size();
  monitor.start(sentences * 5);
  const Vocabulary source_words = vocabulary_of(source_lines, monitor);
  const Vocabulary target_words = vocabulary_of(target_lines, monitor);

  std::vector<uint64_t> order(sentences);
  for (uint64_t i = 0; i < sentences; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) {
    return sample_order(options.sample_seed, a) < sample_order(options.sample_seed, b);
  });

  IndexCounts counts{sentences, 0, 0, 0};
  BitextBuilder bitext(source_words.size(), target_words.size(), options.sample_seed);
  LexiconBuilder lexicon(source_words.size(), target_words.size());
  std::vector<WordId> source_ids, target_ids;
  Links pairs;
  for (uint64_t i = 0; i < sentences; ++i) {
    if (i % poll_every == 0) monitor.poll();
    const uint64_t line = order[i];
    auto ids = [&](const Vocabulary& words, std::string_view text, std::vector<WordId>& found) {
      found.clear();
      for_each_word(text, [&](std::string_view word) { found.push_back(words.find(word)); });
      if (found.size() > IndexedBitext::max_sentence_length)
        throw InputError(line + 1, "a sentence may have at most " + std::to_string(IndexedBitext::max_sentence_length) +
                                       " words; split it");
    };
    ids(source_words, source_lines[line], source_ids);
    ids(target_words, target_lines[line], target_ids);
    parse_pharaoh(link_lines[line], line + 1, pairs, source_ids.size(), target_ids.size());
    if (pairs.size() > IndexedBitext::max_links)
      throw InputError(line + 1, "a pair may have at most " + std::to_string(IndexedBitext::max_links) + " links");
    bitext.add(line, source_ids, target_ids, pairs);
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
    source_words.add_to(writer, "source");
    target_words.add_to(writer, "target");
    writer.write((path / "vocab.bin").string());
  }
  write_index(directory, bitext, lexicon, monitor);
  monitor.add(sentences * 2);
  monitor.poll();
  return counts;
}

}  // namespace dragoman::index
