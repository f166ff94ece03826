// Tokens as text. A token line separates tokens by single spaces; what would break that is escaped, and spacing that
// deviates from the default is marked:
//   ￭ (U+FFED) before or after a token: joined on that side although the default is a space;
//   ▁ (U+2581) before or after a token: spaced on that side although the default is joined;
//   ￮ (U+FFEE) hex ; : a character that cannot stand for itself, that is ￭, ▁, ￮ or white space inside a token.
// The word of a token is what models see: normalization form C, lower case, a straight apostrophe inside words, no
// invisible formatting characters, and no marks: spacing, like case, is how a word is written. Protected tokens (URLs,
// placeholders, tags) keep their case, since %S is not %s.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace dragoman::text {

inline constexpr std::string_view join_mark = "\xef\xbf\xad";
inline constexpr std::string_view space_mark = "\xe2\x96\x81";
inline constexpr std::string_view escape_mark = "\xef\xbf\xae";

enum class Mark : uint8_t { none, join, space };
enum class Form : uint8_t {
  written,      // as in the text, with marks
  word,         // what models see
  both,         // the word and the written form of each token, one after the other
  marked_word,  // the word with marks, as models of earlier versions have them
};

// Appends the word without marks or escapes; spaces inside go unless it is to stay as it is. Never empty for a token
// that is not white space.
void append_model_form(std::string& out, std::string_view token, bool keep_case);

void append_escaped(std::string& out, std::string_view token);
// Undoes append_escaped; a ￮ that begins no valid escape is kept as it is.
void append_unescaped(std::string& out, std::string_view token);

void append_mark(std::string& out, Mark mark);
std::string with_marks(Mark before, std::string_view word, Mark after);

struct MarkedToken {
  Mark before = Mark::none;
  Mark after = Mark::none;
  std::string_view text;  // still escaped; empty for a token that is nothing but marks
};

// Takes the marks off a token of a token line.
MarkedToken parse_marks(std::string_view token);

}  // namespace dragoman::text
