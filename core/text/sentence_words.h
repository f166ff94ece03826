// The words on both sides of a full stop, and what their shape says: a number, an initial, a Roman numeral, letters
// with full stops between them, a word no vowel is in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace dragoman::text {

// Longer words are looked up in no table.
inline constexpr size_t longest_looked_up = 48;

struct TokenShape {
  size_t letters = 0;
  size_t digits = 0;
  bool is_letters = false;        // nothing but letters
  bool is_number = false;         // nothing but digits
  bool is_dotted_number = false;  // `1.2`
  bool is_dotted = false;         // `U.S`, `z.B`: one or two letters between full stops
  bool is_roman = false;          // capitals I V X L C D M, in an order a number could have
  bool is_capitalized = false;
  bool lacks_vowel = false;  // 2-5 Latin consonants, not all capitals, none doubled (`hmm`)
};

TokenShape shape_of(std::string_view token);

// The letters, marks, digits and underscores from `at` on.
std::string_view word_at(std::string_view text, size_t at);
size_t letters_in(std::string_view word);
// `iPhone`, `data_X`: a name whose first letter stays small.
bool is_camel(std::string_view word);

// What stands before a sentence's full stop, back to white space, a quotation mark, bracket, apostrophe or dash.
std::string_view token_before_end(std::string_view sentence);
// Nothing but opening marks stands before the token.
bool is_first(std::string_view sentence, std::string_view token);
// The token is preceded by a number: `5 km`.
bool follows_number(std::string_view sentence, std::string_view token);

// An initial and its full stop stand before the token: `d. h`.
bool follows_initial(std::string_view sentence, std::string_view token);

// Lower case of bytes that may not be well-formed UTF-8.
void append_lower_safely(std::string& out, std::string_view text);

}  // namespace dragoman::text
