// The case of single tokens: what it is, and how to give a word another one. Joiner marks at a token's ends are not
// part of the word. Capitals follow the full rules of Unicode where one letter grows into two (ß is SS, and Ss at the
// beginning; ŉ is ʼN; ﬁ is FI) and the title-case digraphs (ǆ is ǅ at the beginning of a word, Ǆ among capitals).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace dragoman::text {

// i and ı are two letters in Turkish and Azerbaijani, with the capitals İ and I.
enum class DottedI : bool { one_letter, two_letters };

DottedI dotted_i_of(std::string_view language);

struct TokenCase {
  uint32_t letters = 0;   // with case
  uint32_t upper = 0;     // capitals and title-case letters
  uint32_t caseless = 0;  // letters without case
  uint32_t digits = 0;
  bool begins_upper = false;  // the first letter is a capital

  bool is_word() const { return letters + caseless > 0; }
  // One capital is no evidence: `I`, `A`.
  bool is_all_upper() const { return letters >= 2 && upper == letters; }
  bool is_lower() const { return upper == 0; }
};

TokenCase case_of(std::string_view word);
// Whether a word consists of letters that have capitals, and of nothing else.
bool is_cased_word(std::string_view word);

// Words in capitals a line must have to count as all in capitals.
constexpr size_t enough_upper_words = 2;

// A token without the joiner marks at its ends, and the marks.
struct BareToken {
  std::string_view before;
  std::string_view word;
  std::string_view after;
};
BareToken take_marks(std::string_view token);

// The last `letters` letters or other characters.
std::string_view word_ending(std::string_view word, size_t letters);

// A tag, placeholder or address, which keeps its case everywhere.
bool is_protected_word(std::string_view word);
// What a model sees of a word, see token_text.h.
void append_word_form(std::string& out, std::string_view surface);
std::string word_form(std::string_view surface);
// Normalization form C and nothing else.
void append_surface_form(std::string& out, std::string_view surface);

// The first letter as a capital, the rest as it is; a word that begins with a digit stays.
void append_capitalized(std::string& out, std::string_view word, DottedI dotted_i);
void append_all_upper(std::string& out, std::string_view word, DottedI dotted_i);

// What a token does to the place after it.
enum class SentenceRole : uint8_t {
  word,     // or a number: the sentence has begun
  end,      // . ! ? …: a sentence may begin
  colon,    // a capital may follow
  quote,    // opening or closing
  neutral,  // brackets, dashes, bullets
};
SentenceRole sentence_role(std::string_view word, const TokenCase& token);

}  // namespace dragoman::text
