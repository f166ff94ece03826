#include "translate/open_model.h"

#include <cerrno>

#include "base/errors.h"
#include "search/bitext_rules.h"
#include "search/grammar_file.h"
#include "search/neural_adapter.h"
#include "search/ngram_adapter.h"
#include "text/token_text.h"

namespace dragoman::translate {
namespace {

constexpr const char* spacing_prefix = "target.spacing";

std::shared_ptr<const Buffer> required(const FileSource& files, const std::string& name) {
  auto file = files(name);
  if (!file) throw IoError(name, ENOENT);
  return file;
}

std::shared_ptr<const judge::Judge> open_judge(const FileSource& files, const ModelParts& parts) {
  if (parts.judge.empty()) return nullptr;
  return judge::Judge::parse(Container::parse(required(files, parts.judge), judge::file_kind, parts.trust));
}

std::shared_ptr<const Index> open_index(const FileSource& files, const Container& vocabulary, Trust trust) {
  const Container bitext = Container::parse(required(files, "bitext.bin"), IndexedBitext::kind, trust);
  const Container lexicon = Container::parse(required(files, "lexicon.bin"), Lexicon::kind, trust);
  return std::make_shared<const Index>(vocabulary, bitext, lexicon);
}

// Forms of words lie beside the words, where the model was made from written text.
std::optional<Casing> open_casing(const Container& vocabulary, const std::string& side, const Vocabulary& words) {
  const std::string prefix = side + ".case";
  if (!vocabulary.has(prefix + ".size")) return std::nullopt;
  return Casing::open(vocabulary, prefix, words);
}

// The forms of a vocabulary's words for those words of another.
std::optional<Casing> casing_for(const Vocabulary& words, const std::optional<Casing>& known) {
  if (!known) return std::nullopt;
  auto form_of = [&](WordId id) {
    const std::string_view token = words.word(id), word = parse_marks(token).text;
    std::string form;
    if (const WordId same = known->find(word, token); same != Vocabulary::unknown) known->append_form(form, same, word);
    return form;
  };
  return Casing::from_forms(words, form_of, *known);
}

OpenModel open_with_grammar(const FileSource& files, const ModelParts& parts) {
  const auto file = required(files, parts.grammar);
  const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  auto rules = std::make_shared<const GrammarFile>(text);
  std::optional<Casing> source, target;
  SpacingModel spacing;
  if (auto vocabulary_file = files("vocab.bin")) {
    const Container vocabulary = Container::parse(std::move(vocabulary_file), Index::vocabulary_kind, parts.trust);
    source = open_casing(vocabulary, "source", Vocabulary::open(vocabulary, "source"));
    target =
        casing_for(rules->target_words(), open_casing(vocabulary, "target", Vocabulary::open(vocabulary, "target")));
    spacing = SpacingModel::open(vocabulary, spacing_prefix);
  }
  auto tools = std::make_shared<TextTools>(parts.source_tokenizer, parts.target_tokenizer, rules->target_words(),
                                           std::move(source), std::move(target));
  tools->marked_words = parts.marked_words;
  tools->target_spacing = std::move(spacing);
  auto decoder =
      std::make_shared<Decoder>(std::move(rules), open_language_models(files, parts.language_models, parts.trust),
                                parts.weights, open_judge(files, parts));
  return {std::make_shared<TextTranslator>(std::move(decoder), std::move(tools)), nullptr};
}

}  // namespace

std::vector<NamedModel> open_language_models(const FileSource& files,
                                             std::span<const std::pair<std::string, std::string>> models, Trust trust) {
  // The files say what they are.
  std::vector<Container> opened;
  std::vector<std::shared_ptr<const nlm::NeuralModel>> neural;
  size_t ngrams = 0, without_source = 0;
  for (const auto& [feature, name] : models) {
    opened.push_back(Container::parse_any(required(files, name), trust));
    const bool is_neural = opened.back().kind() == nlm::file_kind;
    neural.push_back(is_neural ? std::make_shared<nlm::NeuralModel>(nlm::NeuralModel::parse(opened.back())) : nullptr);
    ngrams += !is_neural;
    without_source += is_neural && !neural.back()->reads_source();
  }
  std::vector<NamedModel> named;
  for (size_t i = 0; i < models.size(); ++i) {
    std::shared_ptr<const LanguageModel> model;
    if (neural[i]) {
      // The cheapest models order the search, the others judge what they chose: n-grams before networks, and networks
      // that can score words anywhere before those that must know the source position.
      const bool expensive = ngrams > 0 || (neural[i]->reads_source() && without_source > 0);
      model = std::make_shared<NeuralModel>(neural[i], expensive);
    } else {
      opened[i].require_kind("lm");
      model = std::make_shared<NgramModel>(std::make_shared<lm::LanguageModel>(lm::LanguageModel::parse(opened[i])));
    }
    named.push_back({models[i].first, std::move(model)});
  }
  return named;
}

OpenModel open_model(const FileSource& files, const ModelParts& parts) {
  if (!parts.grammar.empty()) return open_with_grammar(files, parts);
  const Container vocabulary = Container::parse(required(files, "vocab.bin"), Index::vocabulary_kind, parts.trust);
  const auto index = open_index(files, vocabulary, parts.trust);
  auto live = std::make_shared<LiveIndex>(index, parts.live);
  auto rules = std::make_shared<LiveRules>(live, parts.extract);
  auto decoder = std::make_shared<Decoder>(rules, open_language_models(files, parts.language_models, parts.trust),
                                           parts.weights, open_judge(files, parts));
  decoder->know_learned_words(*index);
  auto tools = std::make_shared<TextTools>(parts.source_tokenizer, parts.target_tokenizer, index->target_words,
                                           open_casing(vocabulary, "source", index->source_words),
                                           open_casing(vocabulary, "target", index->target_words));
  tools->marked_words = parts.marked_words;
  tools->target_spacing = SpacingModel::open(vocabulary, spacing_prefix);
  if (!tools->raw) {
    const Casing* casing = tools->source_casing ? &*tools->source_casing : nullptr;
    tools->unknown_words =
        std::make_shared<const UnknownWords>(index->source_words, casing, text::Language(parts.source_tokenizer));
    if (!parts.marked_words)
      tools->filter = std::make_shared<const RuleFilter>(index->source_words, index->target_words);
  }
  return {std::make_shared<TextTranslator>(std::move(decoder), std::move(tools)), std::move(live)};
}

}  // namespace dragoman::translate
