// The decoder's parts of a model, opened together: from a directory whose files are mapped, or from memory. Nothing
// else of a model is read, and with one thread to translate in and none in the background none is started.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/container.h"
#include "base/namespaces.h"
#include "index/live_index.h"
#include "rules/options.h"
#include "translate/model_files.h"
#include "translate/text_translator.h"

namespace dragoman::translate {

struct ModelParts {
  std::string source_tokenizer, target_tokenizer;  // language codes, or "none"
  // Whether its words have marks of spacing in them, as those of earlier versions do.
  bool marked_words = false;
  // Feature and file of each language model, of n-grams or neural.
  std::vector<std::pair<std::string, std::string>> language_models = {};
  std::vector<std::pair<std::string, double>> weights = {};
  // File of the judge of finished translations, if there is one.
  std::string judge = {};
  // A grammar or phrase table that rules come from, instead of the bitext.
  std::string grammar = {};
  ExtractOptions extract = {};
  Trust trust = Trust::verify_hashes;
  LiveOptions live = {};
};

struct OpenModel {
  std::shared_ptr<TextTranslator> translator;
  std::shared_ptr<LiveIndex> index;  // that its rules come from, to which pairs may be added; not with a grammar
};

// Reads vocab.bin, bitext.bin, lexicon.bin and the language models; with a grammar only how words are written, if
// vocab.bin is there, and the language models.
OpenModel open_model(const FileSource& files, const ModelParts& parts);

// The files know whether they hold n-grams or a neural model.
std::vector<NamedModel> open_language_models(const FileSource& files,
                                             std::span<const std::pair<std::string, std::string>> models, Trust trust);

}  // namespace dragoman::translate
