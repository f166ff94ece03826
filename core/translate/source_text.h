// A line of raw text made ready for the decoder: instructions, sentences, tokens, protected tokens, glossary terms, and
// pieces short enough to search.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "search/decoder.h"
#include "text/splitter.h"
#include "text/tokenizer.h"
#include "translate/glossary.h"
#include "translate/markup.h"

namespace dragoman::translate {

// What stands in a text for a span whose translation is given, so that its neighbours are spaced as beside a
// placeholder. It is known by its place alone: the same characters elsewhere are text.
inline constexpr std::string_view hole_text = "{d0}";

// How a given translation is written in the output.
struct GivenText {
  bool as_token = false;           // a protected token: the source token itself, spaced as tokens are
  std::vector<std::string> texts;  // by translation, exactly as they will be written
  std::string term = {};           // of a glossary, in the model's words
};

struct PreparedSentence {
  TextSpan span;                      // in PreparedLine::text
  std::string source;                 // as the user wrote it, without markup
  std::vector<std::string> surfaces;  // written tokens
  std::vector<SourceToken> tokens;    // what the decoder sees
  std::vector<GivenText> given;       // by token; no texts where none was given
  Constraints constraints;
  std::vector<uint32_t> cuts;  // where pieces begin, 0 first
};

struct PreparedLine {
  std::string text;  // what lies between the sentences is copied from here
  std::vector<PreparedSentence> sentences;
};

class SourceText {
 public:
  // Language code of the tokenizer and splitter; "none" takes lines as sentences and what stands between spaces as
  // words.
  SourceText(const std::string& source_language, const std::string& target_language);

  const Tokenizer& source_tokenizer() const { return source_; }
  const Tokenizer& target_tokenizer() const { return target_; }
  bool raw() const { return raw_; }
  // The words of a target text as the model has them.
  std::vector<std::string> target_words(std::string_view text) const;

  PreparedLine prepare(std::string_view line, uint64_t line_number, bool markup, const Glossary& glossary,
                       uint32_t max_words) const;

 private:
  // A span with a given translation: one token, whatever was inside and whatever stands around it.
  struct Hole {
    TextSpan span;  // in PreparedLine::text, where a placeholder stands for it
    std::string source;
    const Instruction* instruction;
  };
  std::vector<std::string> token_strings(std::string_view text, const std::vector<Token>& tokens,
                                         TokenFormat format) const;
  // `holes` are those of the sentence.
  void add_tokens(PreparedSentence& sentence, std::string_view text, std::span<const Hole> holes,
                  const Glossary& glossary, std::vector<uint32_t>& begins) const;
  void add_zones(PreparedSentence& sentence, const std::vector<Instruction>& instructions,
                 const std::vector<uint32_t>& begins) const;

  Tokenizer source_, target_;
  SentenceSplitter splitter_;
  bool raw_;
};

}  // namespace dragoman::translate
