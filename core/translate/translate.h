// Raw text to raw text in one call: instructions, sentences, tokens and terms (prepared_line.h), decoding, casing and
// joining (joiner.h). Nothing is lost on the way: what lies between sentences is copied, unknown words pass through,
// protected tokens come out as they went in, and every line in gives one line out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "search/forced.h"
#include "translate/text_translator.h"
#include "translate/translated.h"

namespace dragoman::translate {

// Lines must hold no line ends. line_number, from 1, is for errors.
TranslatedLine translate(const TextTranslator& translator, std::string_view line, uint64_t line_number,
                         const TranslateRequest& request, const Glossary& glossary);

// The result does not depend on the number of threads.
std::vector<TranslatedLine> translate_all(const TextTranslator& translator, std::span<const std::string> lines,
                                          uint64_t first_line, const TranslateRequest& request,
                                          const Glossary& glossary, size_t threads, Monitor& monitor);

// Why, or why not, this translation.
struct ForcedText {
  std::vector<std::string> source_tokens, target_tokens;  // model forms
  Forced forced;
};
// Takes the source as one sentence.
ForcedText force(const TextTranslator& translator, std::string_view source, std::string_view target,
                 const TranslateRequest& request);

}  // namespace dragoman::translate
