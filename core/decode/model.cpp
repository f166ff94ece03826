#include "decode/model.h"

#include "decode/bitext_rules.h"
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
  std::vector<NamedModel> opened;
  for (const auto& [name, path] : models)
    opened.push_back({name, std::make_shared<NgramModel>(std::make_shared<lm::LanguageModel>(
                                lm::LanguageModel::open(path, trust ? Trust::skip_hashes : Trust::verify_hashes)))});
  return opened;
}

std::shared_ptr<TextTranslator> open_model(const ModelParts& parts) {
  const Trust trust = parts.trust ? Trust::skip_hashes : Trust::verify_hashes;
  const auto index = Index::open(parts.directory, trust);
  auto live = std::make_shared<LiveIndex>(index, parts.live);
  auto rules = std::make_shared<LiveRules>(live, parts.extract);
  auto decoder =
      std::make_shared<Decoder>(rules, open_language_models(parts.language_models, parts.trust), parts.weights);
  auto translator =
      std::make_shared<TextTranslator>(std::move(decoder), parts.source_tokenizer, parts.target_tokenizer,
                                       open_casing(parts.directory, "source", index->source_words, Trust::skip_hashes),
                                       open_casing(parts.directory, "target", index->target_words, Trust::skip_hashes));
  translator->set_live_index(std::move(live));
  return translator;
}

}  // namespace dragoman::decode
