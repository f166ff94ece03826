// Characters that end, close or open a sentence, in any script, and reading of text that may not be well formed: a byte
// that belongs to nothing reads as U+FFFD of length one, forwards and backwards.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/namespaces.h"
#include "base/utf8.h"
#include "text/unicode.h"

namespace dragoman::text {

struct ReadChar {
  char32_t value = 0;  // 0 at the end of the text
  size_t bytes = 0;
};

ReadChar read_char(std::string_view text, size_t at);
ReadChar read_char_before(std::string_view text, size_t end);

enum class Terminator : uint8_t {
  none,
  full_stop,  // `.`: also abbreviations, ordinals, decimals
  ellipsis,   // `…`
  strong,     // `!`, `?` and their doubles: need white space after them
  wide,       // 。！？: end a sentence without white space
  script,     // danda, ؟, ። and others: used for little else, with or without white space
};

Terminator terminator(char32_t c);
// True for the first bytes of terminators, for line ends and for `<` and `{`; everything else is passed over.
bool may_matter(unsigned char byte);

// Quotation marks of either kind; which way they point differs between languages.
bool is_quote(char32_t c);
// Brackets and quotation marks that may follow a terminator (precede a sentence).
bool is_closer(char32_t c);
bool is_opener(char32_t c);

// Where the markup tag or brace placeholder that starts at `at` ends, or `at` if there is none. Spans are short and
// on one line.
size_t protected_end(std::string_view text, size_t at);

}  // namespace dragoman::text
