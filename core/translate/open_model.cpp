#include "translate/open_model.h"

#include "search/bitext_rules.h"
#include "search/neural_adapter.h"
#include "search/ngram_adapter.h"

namespace dragoman::translate {
namespace {

// Forms of words lie beside the words, where the model was made from written text.
std::optional<Casing> open_casing(const std::string& directory, const std::string& side, const Vocabulary& words,
                                  Trust trust) {
  const Container vocabulary = Container::open(directory + "/vocab.bin", Index::vocabulary_kind, trust);
  const std::string prefix = side + ".case";
  if (!vocabulary.has(prefix + ".size")) return std::nullopt;
  return Casing::open(vocabulary, prefix, words);
}

}  // namespace

std::vector<NamedModel> open_language_models(std::span<const std::pair<std::string, std::string>> models, bool trust) {
  const Trust hashes = trust ? Trust::skip_hashes : Trust::verify_hashes;
  // The files say what they are.
  std::vector<std::shared_ptr<const nlm::NeuralModel>> neural;
  size_t ngrams = 0, without_source = 0;
  for (const auto& [name, path] : models) {
    const bool is_neural = Container::open_any(path, Trust::skip_hashes).kind() == nlm::file_kind;
    neural.push_back(is_neural ? std::make_shared<nlm::NeuralModel>(nlm::NeuralModel::open(path, hashes)) : nullptr);
    ngrams += !is_neural;
    without_source += is_neural && !neural.back()->reads_source();
  }
  std::vector<NamedModel> opened;
  for (size_t i = 0; i < models.size(); ++i) {
    const auto& [name, path] = models[i];
    std::shared_ptr<const LanguageModel> model;
    if (neural[i]) {
      // The cheapest models order the search, the others judge what they chose: n-grams before networks, and networks
      // that can score words anywhere before those that must know the source position.
      const bool expensive = ngrams > 0 || (neural[i]->reads_source() && without_source > 0);
      model = std::make_shared<NeuralModel>(neural[i], expensive);
    } else {
      model = std::make_shared<NgramModel>(std::make_shared<lm::LanguageModel>(lm::LanguageModel::open(path, hashes)));
    }
    opened.push_back({name, std::move(model)});
  }
  return opened;
}

std::shared_ptr<TextTranslator> open_model(const ModelParts& parts) {
  const Trust trust = parts.trust ? Trust::skip_hashes : Trust::verify_hashes;
  const auto index = Index::open(parts.directory, trust);
  auto live = std::make_shared<LiveIndex>(index, parts.live);
  auto rules = std::make_shared<LiveRules>(live, parts.extract);
  auto decoder =
      std::make_shared<Decoder>(rules, open_language_models(parts.language_models, parts.trust), parts.weights);
  decoder->know_learned_words(*index);
  auto translator =
      std::make_shared<TextTranslator>(std::move(decoder), parts.source_tokenizer, parts.target_tokenizer,
                                       open_casing(parts.directory, "source", index->source_words, Trust::skip_hashes),
                                       open_casing(parts.directory, "target", index->target_words, Trust::skip_hashes));
  translator->set_live_index(std::move(live));
  return translator;
}

}  // namespace dragoman::translate
