// What the core knows about characters: general category, script, white space, case, canonical (de)composition.
// The tables are committed (tools/unicode_tables.py writes them), so every build gives the same tokens; a look-up is
// two array reads.
//
// Case: to_lower and to_upper are the simple one-to-one mappings of Unicode, whatever the language. İ lowers to i,
// which is right for the languages that write İ; ẞ lowers to ß. append_lower adds the one rule that needs context: Σ
// at the end of a word lowers to ς, else σ. Capitals of whole words, which may grow (ß), are in case_shape.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/namespaces.h"
#include "base/utf8.h"

namespace dragoman::text {

// General categories, in the order of the generated tables.
enum class Category : uint8_t {
  unassigned,
  upper_letter,
  title_letter,
  lower_letter,
  modifier_letter,
  other_letter,
  mark,
  spacing_mark,
  enclosing_mark,
  digit,
  letter_number,
  other_number,
  connector,
  dash,
  open,
  close,
  initial_quote,
  final_quote,
  other_punctuation,
  math_symbol,
  currency_symbol,
  modifier_symbol,
  other_symbol,
  space,
  line_separator,
  paragraph_separator,
  control,
  format,
  private_use,
  surrogate
};

// Scripts that text in a wrong script is recognised by, or that are tokenized in a way of their own. Letters, marks
// and letter-like numbers have one; digits, punctuation and symbols are common.
enum class Script : uint8_t {
  common,
  inherited,
  other,
  latin,
  greek,
  cyrillic,
  armenian,
  georgian,
  hebrew,
  arabic,
  syriac,
  thaana,
  devanagari,
  bengali,
  gurmukhi,
  gujarati,
  oriya,
  tamil,
  telugu,
  kannada,
  malayalam,
  sinhala,
  thai,
  lao,
  tibetan,
  myanmar,
  khmer,
  ethiopic,
  cherokee,
  mongolian,
  hangul,
  hiragana,
  katakana,
  bopomofo,
  han
};
inline constexpr size_t script_count = static_cast<size_t>(Script::han) + 1;

// "latin", "han", ...
std::string_view script_name(Script script);

// The Unicode version of the tables, e.g. "14.0.0".
std::string_view unicode_version();

namespace unicode_detail {

constexpr uint32_t block_bits = 7;
constexpr uint32_t block_size = 1u << block_bits;
constexpr uint32_t blocks = 0x110000 >> block_bits;

// Stage one picks a block of 128 code points, stage two holds the distinct blocks. Filled before main and never
// written again.
struct Tables {
  uint16_t property_block[blocks];
  uint8_t case_block[blocks];
  uint16_t properties[400 * block_size];
  int32_t lower_delta[64 * block_size];
  int32_t upper_delta[64 * block_size];
};
extern const Tables tables;

constexpr uint16_t category_mask = 0x1f;
constexpr uint16_t script_shift = 5;
constexpr uint16_t script_mask = 0x3f;
constexpr uint16_t space_bit = 1 << 11;
constexpr uint16_t pictograph_bit = 1 << 12;
constexpr uint16_t not_quickly_nfc_bit = 1 << 13;

inline uint16_t properties(char32_t c) {
  return tables.properties[tables.property_block[c >> block_bits] << block_bits | (c & (block_size - 1))];
}

}  // namespace unicode_detail

inline Category category(char32_t c) {
  return static_cast<Category>(unicode_detail::properties(c) & unicode_detail::category_mask);
}
inline Script script(char32_t c) {
  return static_cast<Script>(unicode_detail::properties(c) >> unicode_detail::script_shift &
                             unicode_detail::script_mask);
}

// White space as Python's str.isspace has it: no-break spaces, U+2028 and U+0085 too.
inline bool is_space(char32_t c) { return unicode_detail::properties(c) & unicode_detail::space_bit; }
// Emoji and other pictographs, including code points of their blocks that are not assigned yet.
inline bool is_pictograph(char32_t c) { return unicode_detail::properties(c) & unicode_detail::pictograph_bit; }

constexpr bool is_letter(Category k) { return k >= Category::upper_letter && k <= Category::other_letter; }
constexpr bool is_mark(Category k) { return k >= Category::mark && k <= Category::enclosing_mark; }
constexpr bool is_number(Category k) { return k >= Category::digit && k <= Category::other_number; }
constexpr bool is_punctuation(Category k) { return k >= Category::connector && k <= Category::other_punctuation; }
constexpr bool is_symbol(Category k) { return k >= Category::math_symbol && k <= Category::other_symbol; }
inline bool is_letter(char32_t c) { return is_letter(category(c)); }
inline bool is_mark(char32_t c) { return is_mark(category(c)); }
inline bool is_digit(char32_t c) { return category(c) == Category::digit; }
inline bool is_upper(char32_t c) { return category(c) == Category::upper_letter; }
inline bool is_lower(char32_t c) { return category(c) == Category::lower_letter; }
inline bool is_punctuation(char32_t c) { return is_punctuation(category(c)); }

inline char32_t to_lower(char32_t c) {
  const auto& t = unicode_detail::tables;
  return c + static_cast<char32_t>(
                 t.lower_delta[t.case_block[c >> unicode_detail::block_bits] << unicode_detail::block_bits |
                               (c & (unicode_detail::block_size - 1))]);
}
inline char32_t to_upper(char32_t c) {
  const auto& t = unicode_detail::tables;
  return c + static_cast<char32_t>(
                 t.upper_delta[t.case_block[c >> unicode_detail::block_bits] << unicode_detail::block_bits |
                               (c & (unicode_detail::block_size - 1))]);
}

// Appends the lower case of well-formed text; see the head of this file for the special case.
void append_lower(std::string& out, std::string_view text);

// The letter that a letter with accents is made of; other characters stay.
char32_t base_letter(char32_t c);

// Canonical combining class; 0 for starters.
uint8_t combining_class(char32_t c);

// True when the text is certainly in normalization form C; false when it has to be looked at.
bool is_quickly_nfc(std::string_view text);
// Appends normalization form C of well-formed text; the number of places that changed.
size_t append_nfc(std::string& out, std::string_view text);

}  // namespace dragoman::text
