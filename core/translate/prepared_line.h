// A line of raw text made ready for the decoder: instructions, sentences, tokens, protected tokens, glossary terms, and
// pieces short enough to search.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "search/constraints.h"
#include "text/quotes.h"
#include "text/spacing_context.h"
#include "translate/glossary.h"
#include "translate/source_tokens.h"
#include "translate/text_tools.h"

namespace dragoman::translate {

struct PreparedSentence {
  TextSpan span;       // in PreparedLine::text
  std::string source;  // what stands there
  SourceTokens words;
  Constraints constraints;
  std::vector<uint32_t> cuts;        // where pieces begin, 0 first
  std::vector<Quote> quotes;         // quotation marks of the source
  bool single_quotes = false;        // single marks are among them, and none is an apostrophe
  std::vector<SpacedSource> spaces;  // how its tokens are spaced

  uint32_t size() const { return static_cast<uint32_t>(words.tokens.size()); }
};

struct PreparedLine {
  std::string text;  // as the user wrote it, without instructions; what lies between the sentences is copied from here
  std::vector<PreparedSentence> sentences;
};

// `known` are the rules it will be translated by; line_number, from 1, is for errors.
PreparedLine prepare(const TextTools& tools, const RuleSource& known, std::string_view line, uint64_t line_number,
                     bool markup, const Glossary& glossary, uint32_t max_words);

}  // namespace dragoman::translate
