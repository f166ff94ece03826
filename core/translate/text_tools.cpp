#include "translate/text_tools.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/lines.h"

namespace dragoman::translate {

TextTools::TextTools(const std::string& source_language, const std::string& target_language,
                     const Vocabulary& target_words, std::optional<Casing> source_forms,
                     std::optional<Casing> target_forms)
    : source(source_language),
      target(target_language),
      splitter(source_language == "none" ? "" : source_language),
      target_splitter(target_language == "none" ? "" : target_language),
      raw(source_language == "none"),
      source_casing(std::move(source_forms)),
      target_casing(std::move(target_forms)) {
  if (!target_casing && !raw) target_casing = Casing::build(target_words, CaseCounts());
}

std::vector<std::string> token_strings(const Tokenizer& tokenizer, std::string_view text,
                                       const std::vector<Token>& tokens, Form form) {
  std::string line;
  tokenizer.append_tokens(line, text, tokens, form);
  std::vector<std::string> strings;
  strings.reserve(tokens.size());
  for_each_word(line, [&](std::string_view word) { strings.emplace_back(word); });
  return strings;
}

std::vector<std::string> words_of(const Tokenizer& tokenizer, std::string_view text, Form form) {
  std::vector<Token> tokens;
  tokenizer.tokenize(text, tokens);
  return token_strings(tokenizer, text, tokens, form);
}

std::optional<std::vector<TextSpan>> token_spans(const Tokenizer& tokenizer, std::string_view text, size_t count) {
  std::vector<Token> tokens;
  tokenizer.tokenize(text, tokens);
  if (tokens.size() != count) return std::nullopt;
  std::vector<TextSpan> spans;
  for (const Token& token : tokens) spans.push_back({token.begin, token.end});
  return spans;
}

WrittenText joined_words(const Tokenizer& tokenizer, std::vector<std::string> words) {
  WrittenText written{{}, std::move(words), {}};
  std::vector<TextPiece> pieces;
  for (const std::string& word : written.tokens) pieces.push_back({word});
  tokenizer.append_joined(written.text, pieces, written.spans);
  return written;
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\r', ' ');
  return line;
}

PairTokens tokenize_pair(const TextTools& tools, std::string_view source, std::string_view target) {
  require_text(source);
  require_text(target);
  auto line = [](const Tokenizer& tokenizer, std::string_view text, Form form) {
    const std::string flat = one_line(text);
    std::vector<Token> tokens;
    std::string words;
    tokenizer.tokenize(flat, tokens);
    tokenizer.append_tokens(words, flat, tokens, form);
    return words;
  };
  return {line(tools.source, source, tools.word_form()), line(tools.target, target, tools.word_form()),
          line(tools.target, target, Form::written)};
}

}  // namespace dragoman::translate
