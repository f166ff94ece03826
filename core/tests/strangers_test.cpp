// Files whose hashes fit and whose content does not: each kind of trust that somebody could abuse, by itself.
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/finite.h"
#include "base/hash.h"
#include "base/namespaces.h"
#include "index/bitext_builder.h"
#include "index/index.h"
#include "index/segment.h"
#include "index/sources.h"
#include "index/sources_builder.h"
#include "lm/text_scores.h"
#include "nlm/model_writer.h"
#include "nlm/neural_model.h"
#include "rules/grammar_text.h"
#include "rules/rule_extractor.h"
#include "tests/check.h"
#include "tests/fuzz/target.h"
#include "tests/lm_models.h"
#include "text/casing.h"

namespace dragoman {
using namespace text;
using namespace index;
using namespace rules;
namespace {

using fuzz::Bytes;
using fuzz::Sections;

Container opened(Bytes bytes, const std::string& kind) { return Container::parse(Buffer::own(std::move(bytes)), kind); }

// The file with other sections in place of some.
Container changed(const Bytes& file, const std::vector<std::pair<std::string, Bytes>>& sections) {
  Sections all = *Sections::read(file);
  for (const auto& [name, bytes] : sections)
    for (auto& section : all.all)
      if (section.first == name) section.second = bytes;
  return opened(all.sealed(), all.kind);
}

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Bytes packed(const std::vector<uint64_t>& values, uint32_t width) {
  PackedWriter writer(values.size(), width);
  for (size_t i = 0; i < values.size(); ++i) writer.set(i, values[i]);
  return {writer.bytes().begin(), writer.bytes().end()};
}

Bytes vocabulary_file() {
  const std::vector<std::string_view> words = {"maison", "été", "la"};
  ContainerWriter writer(Index::vocabulary_kind);
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  vocabulary.add_to(writer, "source");
  vocabulary.add_to(writer, "target");
  const Casing casing = Casing::from_forms(
      vocabulary, [](WordId id) { return id == 2 ? "MaiSon" : ""; }, Casing::build(vocabulary, CaseCounts()));
  casing.add_to(writer, "case");
  return writer.bytes();
}

}  // namespace

TEST(words_of_files_are_words) {
  const Bytes file = vocabulary_file();
  auto open = [&](std::string_view strings, const std::vector<uint64_t>& offsets) {
    const Container container = changed(
        file, {{"source.strings", bytes_of(strings)}, {"source.offsets", packed(offsets, bits_for(strings.size()))}});
    const Vocabulary words = Vocabulary::open(container, "source");
    return std::string(words.word(3));
  };
  CHECK(open("maisonétéla", {0, 6, 11, 13}) == "été");
  CHECK_THROWS(open("maison\xe9t\xe9la", {0, 6, 9, 11}), FormatError);
  CHECK_THROWS(open("maison\xf7\xbf\xbf\xbfla", {0, 6, 10, 12}), FormatError);
  CHECK_THROWS(open("maison\xed\xa0\x80la", {0, 6, 9, 11}), FormatError);
  // Characters that two words share.
  CHECK_THROWS(open("maisonétéla", {0, 7, 11, 13}), FormatError);
  for (const char* blank : {"mai on été la", "maison\té\ntla", "maison\r\vtéla"})
    CHECK_THROWS(open(blank, {0, 6, 9, std::string_view(blank).size()}), FormatError);
  CHECK_THROWS(open("maisonétéla", {0, 6, 6, 13}), FormatError);
  CHECK_THROWS(open("maisonétéla", {0, 11, 6, 13}), FormatError);
  CHECK_THROWS(open("maisonétéla", {0, 6, 11, 12}), FormatError);
  CHECK_THROWS(open("maisonétéla", {1, 6, 11, 13}), FormatError);
  CHECK_THROWS(open("maisonétéla", {0, 6, 11, 15}), FormatError);
}

TEST(written_forms_of_files_are_words) {
  const Bytes file = vocabulary_file();
  auto open = [&](std::string_view form) {
    const Container container = changed(
        file, {{"case.strings", bytes_of(form)}, {"case.offsets", packed({0, form.size()}, bits_for(form.size()))}});
    std::string written;
    Casing::open(container, "case", Vocabulary::open(container, "source")).append_form(written, 2, "maison");
    return written;
  };
  CHECK(open("MaiSÖn") == "MaiSÖn");
  CHECK_THROWS(open("MaiS\xf8n"), FormatError);
  CHECK_THROWS(open("Mai Son"), FormatError);
  CHECK_THROWS(open(""), FormatError);
}

TEST(a_full_table_of_words_is_not_gone_through) {
  // Every slot has a word that nobody asks for, so that a search would end only where it began; one has a word so far
  // from its place that no table which was built would have it there.
  std::vector<std::string> words;
  for (int i = 0; i < 3000; ++i) words.push_back("w" + std::to_string(i));
  const std::vector<std::string_view> views(words.begin(), words.end());
  ContainerWriter writer(Index::vocabulary_kind);
  const Vocabulary built = Vocabulary::from_words(views);
  built.add_to(writer, "source");
  std::vector<uint64_t> table(8192, built.find("w0"));
  table[(hash_bytes("w7") + 2000) % table.size()] = built.find("w7");
  const Container container = changed(writer.bytes(), {{"source.table", packed(table, 12)}});
  const Vocabulary vocabulary = Vocabulary::open(container, "source");
  CHECK(vocabulary.find("w0") == 2);
  CHECK(vocabulary.find("nobody") == Vocabulary::unknown);
  CHECK(vocabulary.find("w7") == Vocabulary::unknown);
}

TEST(rules_have_words_of_the_vocabulary) {
  BitextBuilder bitext(5, 5, 1);
  LexiconBuilder lexicon(5, 5);
  Links links = {{0, 0}, {1, 1}};
  const std::vector<WordId> words = {2, 3};
  bitext.add(0, words, words, links);
  lexicon.add(words, words, links);
  bitext.sort_suffixes();
  ContainerWriter bitext_writer(IndexedBitext::kind), lexicon_writer(Lexicon::kind);
  bitext.add_to(bitext_writer);
  lexicon.add_to(lexicon_writer);
  const Container vocabulary = opened(vocabulary_file(), std::string(Index::vocabulary_kind));
  const Container lexicon_file = opened(lexicon_writer.bytes(), std::string(Lexicon::kind));
  const Bytes good = bitext_writer.bytes();
  auto grammar = [&](const std::string& section, uint64_t word, uint32_t width) {
    Sections sections = *Sections::read(good);
    BitextMeta meta{};
    for (auto& [name, bytes] : sections.all) {
      if (name == "meta") std::memcpy(&meta, bytes.data(), sizeof meta);
      if (name == section)
        bytes = packed(section == "source" ? std::vector<uint64_t>{2, word, 0} : std::vector<uint64_t>{2, word}, width);
    }
    (section == "source" ? meta.source_width : meta.target_width) = width;
    for (auto& [name, bytes] : sections.all)
      if (name == "meta") std::memcpy(bytes.data(), &meta, sizeof meta);
    const auto index =
        std::make_shared<const Index>(vocabulary, opened(sections.sealed(), sections.kind), lexicon_file);
    read_pair(index->bitext, 0);
    RuleExtractor extractor(std::make_shared<Workspace>(index), ExtractOptions{});
    const std::vector<WordId> input = {2, 3};
    extractor.start(input, std::nullopt);
    std::string text;
    append_grammar(text, extractor);
    return text.size();
  };
  CHECK(grammar("target", 3, 3) > 0);
  CHECK(grammar("target", 4, 40) > 0);
  // No word of the vocabulary, what stands for gaps in rules, and what would be either when cut to fewer bits.
  for (const std::string section : {"source", "target"})
    for (uint64_t word : {uint64_t{5}, uint64_t{0}, uint64_t{1}, uint64_t{UINT32_MAX}, uint64_t{1} << 31,
                          uint64_t{3} | uint64_t{1} << 32})
      CHECK_THROWS(grammar(section, word, 40), FormatError);
}

TEST(a_name_is_not_copied_without_end) {
  // A long name of a file, which each of many pairs has.
  SourcesBuilder builder;
  for (uint64_t i = 0; i < 1000; ++i) {
    SourceRecord record;
    record.stable_id = i;
    record.file = "f";
    record.id = "i";
    builder.add(record);
  }
  const Bytes file = builder.bytes();
  auto first_block = [&](size_t length) {
    const Sections sections = *Sections::read(file);
    SourcesMeta meta{};
    for (const auto& [name, bytes] : sections.all)
      if (name == "meta") std::memcpy(&meta, bytes.data(), sizeof meta);
    meta.name_bytes = length;
    Bytes meta_bytes(sizeof meta);
    std::memcpy(meta_bytes.data(), &meta, sizeof meta);
    const Sources sources(changed(file, {{"meta", meta_bytes},
                                         {"names", Bytes(length, std::byte{'n'})},
                                         {"names.starts", packed({0, length}, bits_for(length))}}));
    return sources.read_block(0).size();
  };
  CHECK(first_block(1) == 1000);
  CHECK(first_block(1000) == 1000);
  CHECK_THROWS(first_block(size_t{1} << 20), FormatError);
}

TEST(scores_can_be_ordered) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(finite(nan, 5) == -5 && finite(inf, 5) == 5 && finite(-inf, 5) == -5 && finite(2, 5) == 2);
  // Minus zero means something in language models.
  CHECK(std::signbit(finite(-0.0f)) && finite(-0.0f) == 0);
  std::mt19937_64 random(2);
  const std::string text = lm::tests::random_text(random, 60, 9);
  for (uint32_t bits : {0u, 4u})
    for (float bad : {inf, -inf, nan}) {
      lm::EstimateOptions options;
      options.order = 3;
      Bytes file = lm::tests::compacted(lm::tests::estimated(text, options), bits);
      Sections sections = *Sections::read(file);
      // Every fourth number of whatever holds floats.
      for (auto& [name, bytes] : sections.all)
        if (name == "unigrams" || name.ends_with("probs") || name.ends_with("backoffs") || name.ends_with(".records"))
          for (size_t at = 0; at + sizeof bad <= bytes.size(); at += 4 * sizeof bad)
            std::memcpy(bytes.data() + at, &bad, sizeof bad);
      const auto model = lm::LanguageModel::parse(opened(sections.sealed(), sections.kind));
      Monitor monitor;
      for (const auto& token : lm::score_text(model, text, true, 1, monitor).tokens)
        CHECK(std::isfinite(token.log10_prob));
    }
}

TEST(trees_of_words_have_an_end) {
  // Every node has a word and the next node, so that the last words lie below all of them.
  auto chain = [](uint32_t words) {
    nlm::ModelDescription description;
    description.order = 2;
    description.dimension = 1;
    description.output = nlm::Output::tree;
    for (uint32_t i = 0; i < words; ++i) description.words.push_back("w" + std::to_string(i));
    const uint32_t ids = words + nlm::first_real_word, nodes = ids - 3;
    std::vector<int32_t> children, predicted = {1};
    for (uint32_t word = nlm::sentence_end; word < ids; ++word) predicted.push_back(static_cast<int32_t>(word));
    for (uint32_t node = 0; node < nodes; ++node) {
      children.push_back(-1 - predicted[node]);
      children.push_back(node + 1 < nodes ? static_cast<int32_t>(node) + 1 : -1 - predicted[node + 1]);
    }
    const std::vector<float> ones(ids, 1), one(1, 1);
    const auto rows = std::as_bytes(std::span(ones)).first(nodes * sizeof(float));
    const nlm::Tensors tensors = {{"input", std::as_bytes(std::span(ones))},
                                  {"context", std::as_bytes(std::span(one))},
                                  {"hidden_bias", std::as_bytes(std::span(one))},
                                  {"node_children", std::as_bytes(std::span(children))},
                                  {"node_weights", rows},
                                  {"node_bias", rows}};
    const std::string path = fuzz::temporary_path();
    nlm::write_model(description, tensors, path);
    const auto file = Buffer::map(path);
    std::remove(path.c_str());
    return nlm::NeuralModel::parse(Container::parse(file, nlm::file_kind)).header().words;
  };
  CHECK(chain(1000) == 1004);
  CHECK_THROWS(chain(5000), FormatError);
}

TEST(containers_have_few_sections) {
  ContainerWriter writer("many");
  for (int i = 0; i < 1024; ++i) writer.add(std::to_string(i), std::span<const std::byte>());
  CHECK(opened(writer.bytes(), "many").sections().size() == 1024);
  CHECK_THROWS(writer.add("one more", std::span<const std::byte>()), ConfigError);
}

}  // namespace dragoman
