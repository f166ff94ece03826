// One round's translations: every line is decoded to its k best translations, each is written out as a user would see
// it, compared with the reference, and its feature values are kept. Texts are dropped at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/namespaces.h"
#include "translate/text_translator.h"
#include "translate/translated.h"
#include "tune/candidates.h"

namespace dragoman::tune {

struct Round {
  CorpusBleu best;        // of each line's best translation
  uint64_t narrowed = 0;  // sentences whose search was cut short
  Candidates candidates;
};

// `features` are those of the pool, by name. Line i has reference i; results do not depend on the number of threads.
Round collect(const translate::TextTranslator& translator, std::span<const std::string> lines,
              std::span<const BleuReference> references, const translate::TranslateRequest& request,
              std::span<const std::string> features, size_t threads, Monitor& monitor);

}  // namespace dragoman::tune
