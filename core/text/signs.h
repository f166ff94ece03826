// The parts of a line that are not words: clusters of the scripts written without spaces, emoji, punctuation, symbols.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/namespaces.h"
#include "text/unicode.h"

namespace dragoman::text {

// Chinese and Japanese: every character is a token.
constexpr bool is_ideographic(Script s) {
  return s == Script::han || s == Script::hiragana || s == Script::katakana || s == Script::bopomofo;
}
// Scripts without spaces whose tokens are clusters: a consonant with all that hangs on it.
constexpr bool is_clustered(Script s) {
  return s == Script::thai || s == Script::lao || s == Script::khmer || s == Script::myanmar;
}
constexpr bool is_unspaced(Script s) { return is_ideographic(s) || is_clustered(s); }

inline constexpr char32_t zero_width_joiner = 0x200d;
inline constexpr char32_t zero_width_non_joiner = 0x200c;

// Pictographs and the letters of flags.
inline bool is_emoji(char32_t c) { return is_pictograph(c) || (c >= 0x1f1e6 && c <= 0x1f1ff); }

// The end of the combining marks (and joiners) that begin at `at`.
size_t marks_end(std::string_view line, size_t at);

// The end of the ideograph or cluster that begins at `at`.
size_t cluster_end(std::string_view line, size_t at);

// The end of the emoji sequence, run of one punctuation mark, or other sign that begins at `at`.
size_t sign_end(std::string_view line, size_t at);

}  // namespace dragoman::text
