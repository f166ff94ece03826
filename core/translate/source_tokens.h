// The words of a sentence as the decoder sees them, those with given translations among them: holes, terms of the
// glossary, and protected tokens.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "search/decoder.h"
#include "translate/glossary.h"
#include "translate/holes.h"
#include "translate/text_tools.h"

namespace dragoman::translate {

// How given translations of a token are written in the output.
struct GivenText {
  bool as_token = false;           // a protected token: the source token itself, spaced as tokens are
  std::vector<WrittenText> texts;  // by translation, exactly as they will be written, with one token for each word
  std::string term = {};           // of a glossary, in the model's words
};

struct SourceTokens {
  std::vector<SourceToken> tokens;    // what the decoder sees
  std::vector<std::string> surfaces;  // as written
  std::vector<TextSpan> spans;        // of the sentence as it was written
  std::vector<TextSpan> places;       // of the sentence with holes
  std::vector<GivenText> given;       // no texts where none was given
  std::vector<bool> is_protected;
  // How the target language writes a number, escaped; empty for other tokens, and where that is the same.
  std::vector<std::string> numbers;
  std::vector<Span> single_quotes;  // of tokens: pairs of single quotation marks
  std::vector<Span> compounds;  // tokens that are parts of one word
};

// The tokens of a sentence of the holed text. A word that the rules do not know is taken for one that they know
// (text/unknown_words.h); the parts of a compound are tokens, as if they were written apart. A number written with
// spaces that the rules do not know is one token.
SourceTokens source_tokens(const TextTools& tools, const RuleSource& known, const HoledText& text, TextSpan sentence,
                           const Glossary& glossary);

}  // namespace dragoman::translate
