// The four files of an index: one of them a stranger's, the others as they were built.
#include <algorithm>
#include <filesystem>

#include "index/bitext_builder.h"
#include "index/compaction.h"
#include "index/live_index.h"
#include "rules/grammar_text.h"
#include "rules/phrase_table.h"
#include "rules/rule_extractor.h"
#include "search/bitext_rules.h"
#include "tests/fuzz/target.h"
#include "tests/random_bitext.h"
#include "text/case_restorer.h"
#include "text/casing.h"
#include "translate/translate.h"

namespace dragoman::fuzz {

using namespace text;
using namespace index;
using namespace rules;

namespace {

constexpr std::string_view words[] = {"la",     "maison", "bleue", "été", "ﾭl'", "straße",
                                      "iphone", "nato",   "ǆ",     ".",   "中"};
const std::string memories[] = {"acme", "Müller & Söhne"};
constexpr std::string_view inputs[] = {"la maison bleue la été .", "La Straße, nato. iPhone l'été Xyz"};

struct IndexFiles {
  Bytes vocabulary, bitext, lexicon;
};

std::string form_of(WordId id) {
  const auto word = std::string(words[id - Vocabulary::first_word]);
  if (word == "iphone") return "iPhone";
  return word == "nato" ? "NATO" : word == "bleue" ? "Bleue" : "";
}

IndexFiles build_files(size_t sentences) {
  Random random(11);
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  BitextBuilder bitext(vocabulary.size(), vocabulary.size(), 1);
  LexiconBuilder lexicon(vocabulary.size(), vocabulary.size());
  bitext.set_corrections(0);
  tests::add_random_pairs(random, sentences, std::size(words), 11, bitext, lexicon, std::size(memories));
  bitext.set_memory_names(memories);
  Casing casing = Casing::from_forms(vocabulary, form_of, Casing::build(vocabulary, CaseCounts()));
  casing.set_model(CaseModel(std::vector<CaseModel::Weights>(64, {20, 3})));
  const std::vector<WordId> learned = {4, 9};
  ContainerWriter first(Index::vocabulary_kind), second(IndexedBitext::kind), third(Lexicon::kind);
  for (const std::string side : {"source", "target"}) {
    vocabulary.add_to(first, side);
    casing.add_to(first, side + ".case");
    first.add(side + ".learned", learned);
  }
  bitext.add_to(second);
  lexicon.add_to(third);
  return {first.bytes(), second.bytes(), third.bytes()};
}

const IndexFiles& files() {
  static const IndexFiles built = build_files(60);
  return built;
}

Container parsed(Bytes bytes, std::string_view kind) {
  return Container::parse(Buffer::own(std::move(bytes), "file"), kind);
}

void use_words(const Container& file) {
  for (const std::string side : {"source", "target"}) {
    const Vocabulary vocabulary = Vocabulary::open(file, side);
    for (WordId id = 0; id < std::min<WordId>(vocabulary.size(), 200) + 2; ++id) {
      vocabulary.find(vocabulary.word(id));
      vocabulary.learned(id);
    }
    vocabulary.ids(inputs[1]);
    const Casing casing = Casing::open(file, side + ".case", vocabulary);
    std::vector<std::string_view> tokens;
    for (WordId id = 0; id < std::min<WordId>(vocabulary.size(), 40); ++id) tokens.push_back(vocabulary.word(id));
    const Link links[] = {{0, 0}, {2, 1}, {900, 3}};
    CaseRestorer(casing, &casing).restore(tokens, links, tokens);
    truecase(casing, tokens);
  }
}

void use_rules(const std::shared_ptr<const Index>& index) {
  for (Matching matching : {Matching::exact, Matching::bounded, Matching::extend, Matching::merge})
    attempt([&] {
      ExtractOptions options;
      options.matching = matching;
      RuleExtractor extractor(std::make_shared<Workspace>(index), options);
      for (const auto leave_out : {std::optional<uint64_t>(), std::optional<uint64_t>(3)}) {
        extractor.start(index->source_words.ids(inputs[0]), leave_out);
        std::string text;
        append_grammar(text, extractor);
      }
      const PatternTrie& patterns = extractor.patterns();
      for (uint32_t node = 1; node < patterns.size(); ++node)
        for (uint32_t match = 0; match < patterns.sample(node).size(); ++match) extractor.origin(node, match);
    });
}

void use_translator(const std::shared_ptr<const Index>& index, const Container& vocabulary) {
  LiveOptions options;
  options.correction_weight = 3;
  options.background = false;
  auto live = std::make_shared<LiveIndex>(index, options);
  auto rules = std::make_shared<search::LiveRules>(live, ExtractOptions{});
  auto decoder = std::make_shared<search::Decoder>(rules, std::vector<search::NamedModel>{},
                                                   std::span<const std::pair<std::string, double>>{});
  const translate::TextTranslator translator(
      decoder, std::make_shared<translate::TextTools>("fr", "de", index->target_words,
                                                      Casing::open(vocabulary, "source.case", index->source_words),
                                                      Casing::open(vocabulary, "target.case", index->target_words)));
  auto translate_by = [&](const translate::TextTranslator& translator) {
    for (search::Algorithm algorithm : {search::Algorithm::hierarchical, search::Algorithm::phrase_based})
      attempt([&] {
        translate::TranslateRequest request;
        request.decode.algorithm = algorithm;
        request.decode.kbest = 3;
        request.decode.explain = true;
        const auto translation = translate::translate(translator, inputs[1], 1, request, {});
        for (const auto& alternative : translation.alternatives)
          require(alternative.score == alternative.score, "a score that is no number");
        translate::force(translator, "la maison", translation.text, request);
      });
  };
  auto translate = [&] {
    translate_by(translator);
    attempt([&] { translate_by(*translator.with_decoder(decoder->with_memories({{"acme", 2}, {"", 1}}))); });
  };
  translate();
  attempt([&] {
    const LiveChange changes[] = {
        LiveIndex::addition(1000, "la maison neuve", "la maison Neue", "la maison Neue", "0-0 1-1 2-2"),
        LiveIndex::addition(7, "bleue .", "bleue .", "", "0-0 1-1"),
        LiveChange{true, 3, "", "", "", {}},
    };
    live->apply(changes);
  });
  translate();
  const std::string& folder = temporary_path();
  std::filesystem::create_directories(folder);
  attempt([&] {
    Monitor monitor;
    compact_index(*live->snapshot(), vocabulary, folder, monitor);
  });
  std::filesystem::remove_all(folder);
}

void use_index(const IndexFiles& given) {
  const Container vocabulary = parsed(given.vocabulary, Index::vocabulary_kind);
  const auto index = std::make_shared<const Index>(vocabulary, parsed(given.bitext, IndexedBitext::kind),
                                                   parsed(given.lexicon, Lexicon::kind));
  attempt([&] { use_words(vocabulary); });
  use_rules(index);
  attempt([&] { use_translator(index, vocabulary); });
  attempt([&] {
    Monitor monitor;
    write_phrase_table(*index, {.max_phrase_length = 5}, [](std::string_view) {}, monitor);
  });
}

template <Bytes IndexFiles::* member>
std::vector<Bytes> seeds() {
  return {files().*member, build_files(5).*member};
}

template <Bytes IndexFiles::* member>
void use(Bytes file) {
  IndexFiles changed = files();
  changed.*member = std::move(file);
  use_index(changed);
}

}  // namespace

const Target vocabulary_target{"vocabulary", seeds<&IndexFiles::vocabulary>, use<&IndexFiles::vocabulary>};
const Target bitext_target{"bitext", seeds<&IndexFiles::bitext>, use<&IndexFiles::bitext>};
const Target lexicon_target{"lexicon", seeds<&IndexFiles::lexicon>, use<&IndexFiles::lexicon>};

}  // namespace dragoman::fuzz
