// The decoder's parts of a model directory, opened together.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "index/live_index.h"
#include "rules/options.h"
#include "translate/text_translator.h"

namespace dragoman::translate {

struct ModelParts {
  std::string directory;                           // holds vocab.bin, bitext.bin and lexicon.bin
  std::string source_tokenizer, target_tokenizer;  // language codes, or "none"
  // Feature name and path of each language model, of n-grams or neural.
  std::vector<std::pair<std::string, std::string>> language_models;
  std::vector<std::pair<std::string, double>> weights;
  ExtractOptions extract;
  bool trust = false;
  LiveOptions live = {};
};

std::shared_ptr<TextTranslator> open_model(const ModelParts& parts);

// Language models by feature name and path; the files know whether they hold n-grams or a neural model.
std::vector<NamedModel> open_language_models(std::span<const std::pair<std::string, std::string>> models, bool trust);

}  // namespace dragoman::translate
