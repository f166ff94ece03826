// What tests of an index that learns share: random pairs, and the rules of a sentence as text.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "index/bitext_builder.h"
#include "index/live_index.h"
#include "rules/grammar_text.h"
#include "rules/rule_extractor.h"
#include "tests/check.h"

namespace dragoman::tests {

using namespace text;
using namespace index;
using namespace rules;

// An index of so many random sentences of the words a to c.
inline std::shared_ptr<const Index> index_of(uint64_t sentences) {
  const std::vector<std::string_view> words{"a", "b", "c"};
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  BitextBuilder bitext(vocabulary.size(), vocabulary.size(), 1);
  LexiconBuilder lexicon(vocabulary.size(), vocabulary.size());
  std::vector<uint64_t> order(sentences);
  for (uint64_t i = 0; i < sentences; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [](uint64_t a, uint64_t b) { return sample_order(1, a) < sample_order(1, b); });
  std::mt19937_64 random(8);
  for (uint64_t id : order) {
    std::vector<WordId> source(1 + random() % 9);
    Links links;
    for (WordId& word : source) word = static_cast<WordId>(Vocabulary::first_word + random() % 3);
    for (uint32_t i = 0; i < source.size(); ++i)
      if (random() % 5) links.push_back({i, i});
    bitext.add(id, source, source, links);
    lexicon.add(source, source, links);
  }
  bitext.sort_suffixes();
  ContainerWriter first(Index::vocabulary_kind), second(IndexedBitext::kind), third(Lexicon::kind);
  vocabulary.add_to(first, "source");
  vocabulary.add_to(first, "target");
  bitext.add_to(second);
  lexicon.add_to(third);
  auto parse = [](const ContainerWriter& writer, std::string_view kind) {
    return Container::parse(Buffer::own(writer.bytes()), kind);
  };
  return std::make_shared<const Index>(parse(first, Index::vocabulary_kind), parse(second, IndexedBitext::kind),
                                       parse(third, Lexicon::kind));
}

inline std::shared_ptr<const Index> empty_index() { return index_of(0); }

inline LiveChange random_addition(std::mt19937_64& random, uint64_t id) {
  std::string source, links;
  const size_t length = 1 + random() % 8;
  for (size_t i = 0; i < length; ++i) {
    source += (i ? " " : "") + std::string(1, static_cast<char>('a' + random() % 8));
    links += (i ? " " : "") + std::to_string(i) + "-" + std::to_string(i);
  }
  return LiveIndex::addition(id, source, source, source, links);
}

inline LiveChange removal(uint64_t id) {
  LiveChange change;
  change.removal = true;
  change.stable_id = id;
  return change;
}

inline std::string grammar(const std::shared_ptr<const Snapshot>& snapshot) {
  RuleExtractor extractor(std::make_shared<Workspace>(snapshot), ExtractOptions());
  extractor.start(snapshot->source_words().ids("a b d e a h"), std::nullopt);
  std::string text;
  append_grammar(text, extractor);
  for (uint32_t node = 1; node < extractor.patterns().size(); ++node)
    for (uint32_t match = 0; match < extractor.patterns().sample(node).size(); ++match)
      CHECK(snapshot->find(extractor.origin(node, match).stable_id).has_value());
  return text;
}

}  // namespace dragoman::tests
