#include "decode/model.h"

#include <algorithm>

#include "decode/bitext_rules.h"
#include "decode/neural_model.h"
#include "decode/ngram_model.h"

namespace dragoman::decode {
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
  // The files say what they are; contents are verified as they are opened for good.
  std::vector<bool> neural;
  for (const auto& [name, path] : models)
    neural.push_back(Container::open_any(path, Trust::skip_hashes).kind() == nlm::file_kind);
  // Beside n-grams, which order the search, a neural model need only judge what they chose.
  const bool alone = std::ranges::find(neural, false) == neural.end();
  std::vector<NamedModel> opened;
  for (size_t i = 0; i < models.size(); ++i) {
    const auto& [name, path] = models[i];
    std::shared_ptr<const LanguageModel> model;
    if (neural[i])
      model = std::make_shared<NeuralModel>(std::make_shared<nlm::NeuralModel>(nlm::NeuralModel::open(path, hashes)),
                                            !alone);
    else
      model = std::make_shared<NgramModel>(std::make_shared<lm::LanguageModel>(lm::LanguageModel::open(path, hashes)));
    opened.push_back({name, std::move(model)});
  }
  return opened;
}

std::shared_ptr<TextTranslator> open_model(const ModelParts& parts) {
  const Trust trust = parts.trust ? Trust::skip_hashes : Trust::verify_hashes;
  const auto index = Index::open(parts.directory, trust);
  auto rules = std::make_shared<BitextRules>(index, parts.extract);
  auto decoder =
      std::make_shared<Decoder>(rules, open_language_models(parts.language_models, parts.trust), parts.weights);
  return std::make_shared<TextTranslator>(
      std::move(decoder), parts.source_tokenizer, parts.target_tokenizer,
      open_casing(parts.directory, "source", index->source_words, Trust::skip_hashes),
      open_casing(parts.directory, "target", index->target_words, Trust::skip_hashes));
}

}  // namespace dragoman::decode
