// What turns text into a model's words and words into text, for both sides. Immutable, and shared by all translators
// that differ in rules, weights or terms.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"
#include "search/rule_filter.h"
#include "text/casing.h"
#include "text/spacing_model.h"
#include "text/splitter.h"
#include "text/tokenizer.h"
#include "text/unknown_words.h"

namespace dragoman::translate {

struct TextTools {
  // Language codes of tokenizers and splitter; "none" takes lines as sentences and what stands between spaces as words,
  // and does nothing to case. The casings may be missing: then words are written as the model has them, but for
  // sentence starts.
  TextTools(const std::string& source_language, const std::string& target_language, const Vocabulary& target_words,
            std::optional<Casing> source_forms, std::optional<Casing> target_forms);

  // Whether words have no spacing in them, which is then found anew.
  bool spacing_is_apart() const { return !raw && !marked_words; }
  // The form in which a side's tokens are the model's words.
  Form word_form() const { return raw ? Form::written : marked_words ? Form::marked_word : Form::word; }

  Tokenizer source, target;
  SentenceSplitter splitter, target_splitter;
  bool raw;
  bool marked_words = false;  // as models of earlier versions have them
  std::optional<Casing> source_casing, target_casing;
  SpacingModel target_spacing;
  std::shared_ptr<const RuleFilter> filter;           // none where words are taken as they are
  std::shared_ptr<const UnknownWords> unknown_words;  // none where words are taken as they are
};

// A text, its tokens, and the bytes where each of them stands in it.
struct WrittenText {
  std::string text;
  std::vector<std::string> tokens;  // as written, with marks and escapes
  std::vector<TextSpan> spans;      // by token
};

// Tokens of a text, each as a string.
std::vector<std::string> token_strings(const Tokenizer& tokenizer, std::string_view text,
                                       const std::vector<Token>& tokens, Form form);
std::vector<std::string> words_of(const Tokenizer& tokenizer, std::string_view text, Form form);

// Where the tokens of a text stand in it, in bytes; nothing where there are not so many, because the words were made of
// another text or otherwise.
std::optional<std::vector<TextSpan>> token_spans(const Tokenizer& tokenizer, std::string_view text, size_t count);

// A text made of words of token lines, by the spacing of the language.
WrittenText joined_words(const Tokenizer& tokenizer, std::vector<std::string> words);

// A text on one line.
std::string one_line(std::string_view text);

// A sentence pair as the model has it: space-separated tokens; and the target tokens as they were written.
struct PairTokens {
  std::string source, target, written;
};
PairTokens tokenize_pair(const TextTools& tools, std::string_view source, std::string_view target);

}  // namespace dragoman::translate
