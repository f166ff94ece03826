// Lines to tokens and back. A token is a byte span of the raw line; joining the tokens by the spacing rules of the
// language plus the few marks gives the line again, but for runs of white space. See spacing.h for the principle,
// token_text.h for marks, escapes and model forms, language.h for what differs between languages.
//
// A tokenizer is immutable and may be shared by threads. Time is linear in the line; nothing is allocated per token.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/monitor.h"
#include "base/namespaces.h"
#include "text/language.h"
#include "text/spacing.h"
#include "text/token.h"
#include "text/token_text.h"

namespace dragoman::text {

// A part of a text that is to be joined.
struct TextPiece {
  std::string_view text;
  // Whether it is written as it is, and spaced like a placeholder but for marks; else it is words of a token line.
  bool verbatim = false;
  Mark before = Mark::none;
  Mark after = Mark::none;
};

class Tokenizer {
 public:
  // A language code, or "none": tokens are what stands between white space, and are joined by spaces.
  explicit Tokenizer(std::string_view language);
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  const std::string& language() const { return language_code_; }
  const Language& rules() const { return language_; }
  const Spacing& spacing() const { return spacing_; }

  // Replaces `tokens` by those of a line of well-formed UTF-8.
  void tokenize(std::string_view line, std::vector<Token>& tokens) const { tokenize(line, {}, tokens); }
  // The same with spans, in order and apart, of which each is one protected token whatever stands in and around it.
  void tokenize(std::string_view line, std::span<const TextSpan> whole, std::vector<Token>& tokens) const;
  // Appends the tokens of a line, separated by spaces.
  void append_tokens(std::string& out, std::string_view line, const std::vector<Token>& tokens, Form form) const;
  // Appends the text that a token line, with or without marks, stands for.
  void append_detokenized(std::string& out, std::string_view token_line) const;
  // The same of pieces; `places` gets where each then stands in `out`, in order, empty for one without words.
  void append_joined(std::string& out, std::span<const TextPiece> pieces, std::vector<TextSpan>& places) const;

  // Whole texts, one line out per line in, whatever the number of threads. Throw InputError with the line's number
  // for text that is not UTF-8 or holds NUL.
  std::string tokenize_text(std::string_view text, Form form, size_t threads, Monitor& monitor) const;
  std::string detokenize_text(std::string_view text, size_t threads, Monitor& monitor) const;

 private:
  // Appends the tokens of a stretch of the line without marks.
  void scan(std::string_view line, std::vector<Token>& tokens) const;
  void mark_deviations(std::string_view line, std::vector<Token>& tokens) const;
  // Call append(text, piece) for each word, after what stands before it.
  template <class Append>
  void join_by_spaces(std::string& out, std::span<const TextPiece> pieces, const Append& append) const;
  template <class Append>
  void join_by_rules(std::string& out, std::span<const TextPiece> pieces, const Append& append) const;

  std::string language_code_;
  bool none_;
  Language language_;
  Spacing spacing_;
};

}  // namespace dragoman::text
