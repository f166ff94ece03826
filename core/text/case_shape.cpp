#include "text/case_shape.h"

#include <array>

#include "text/language.h"
#include "text/protected_span.h"
#include "text/sentence_marks.h"
#include "text/token_text.h"
#include "text/unicode.h"

namespace dragoman::text {
namespace {

// Letters whose capital is not one letter; `title` is the capital of a word's first letter.
struct GrownCase {
  char32_t letter;
  std::string_view title;
  std::string_view upper;
};
constexpr std::array grown_cases = {
    GrownCase{U'ß', "Ss", "SS"},   GrownCase{U'ŉ', "ʼN", "ʼN"},   GrownCase{U'ǰ', "J̌", "J̌"},
    GrownCase{U'ΐ', "Ϊ́", "Ϊ́"},     GrownCase{U'ΰ', "Ϋ́", "Ϋ́"},     GrownCase{U'և', "Եւ", "ԵՒ"},
    GrownCase{U'ﬀ', "Ff", "FF"},   GrownCase{U'ﬁ', "Fi", "FI"},   GrownCase{U'ﬂ', "Fl", "FL"},
    GrownCase{U'ﬃ', "Ffi", "FFI"}, GrownCase{U'ﬄ', "Ffl", "FFL"}, GrownCase{U'ﬅ', "St", "ST"},
    GrownCase{U'ﬆ', "St", "ST"},   GrownCase{U'ǆ', "ǅ", "Ǆ"},     GrownCase{U'ǉ', "ǈ", "Ǉ"},
    GrownCase{U'ǌ', "ǋ", "Ǌ"},     GrownCase{U'ǳ', "ǲ", "Ǳ"},     GrownCase{U'ǅ', "ǅ", "Ǆ"},
    GrownCase{U'ǈ', "ǈ", "Ǉ"},     GrownCase{U'ǋ', "ǋ", "Ǌ"},     GrownCase{U'ǲ', "ǲ", "Ǳ"},
};

void append_upper_letter(std::string& out, char32_t letter, bool title, DottedI dotted_i) {
  if (letter < 0x80 || letter == U'ı') {
    if (letter == 'i' && dotted_i == DottedI::two_letters)
      append_utf8(out, U'İ');
    else
      append_utf8(out, to_upper(letter));
    return;
  }
  for (const GrownCase& grown : grown_cases)
    if (grown.letter == letter) {
      out += title ? grown.title : grown.upper;
      return;
    }
  // Georgian words have no capital at their beginning.
  append_utf8(out, title && script(letter) == Script::georgian ? letter : to_upper(letter));
}

bool is_cased(Category k) {
  return k == Category::upper_letter || k == Category::title_letter || k == Category::lower_letter;
}

}  // namespace

DottedI dotted_i_of(std::string_view language) {
  const std::string base = base_language(language);
  return base == "tr" || base == "az" ? DottedI::two_letters : DottedI::one_letter;
}

TokenCase case_of(std::string_view word) {
  TokenCase token;
  for (size_t at = 0; at < word.size();) {
    const ReadChar c = read_char(word, at);
    const Category k = category(c.value);
    if (is_cased(k)) {
      const bool upper = k != Category::lower_letter;
      if (token.letters == 0 && token.caseless == 0 && token.digits == 0) token.begins_upper = upper;
      ++token.letters;
      token.upper += upper;
    } else if (is_letter(k)) {
      ++token.caseless;
    } else if (is_number(k)) {
      ++token.digits;
    }
    at += c.bytes;
  }
  return token;
}

bool is_cased_word(std::string_view word) { return case_of(word).letters == characters_of(word); }

BareToken take_marks(std::string_view token) {
  size_t begin = 0;
  size_t end = token.size();
  constexpr size_t mark_bytes = join_mark.size();
  static_assert(mark_bytes == space_mark.size());
  auto mark_at = [&](size_t at) {
    const std::string_view here = token.substr(at, mark_bytes);
    return here == join_mark || here == space_mark;
  };
  if (end - begin > mark_bytes && mark_at(begin)) begin += mark_bytes;
  if (end - begin > mark_bytes && mark_at(end - mark_bytes)) end -= mark_bytes;
  return {token.substr(0, begin), token.substr(begin, end - begin), token.substr(end)};
}

std::string_view word_ending(std::string_view word, size_t letters) {
  size_t begin = word.size();
  while (letters-- > 0 && begin > 0) begin -= read_char_before(word, begin).bytes;
  return word.substr(begin);
}

void append_surface_form(std::string& out, std::string_view surface) {
  if (is_quickly_nfc(surface))
    out += surface;
  else
    append_nfc(out, surface);
}

bool is_protected_word(std::string_view word) {
  const char first = word.empty() ? ' ' : word.front();
  constexpr std::string_view signs = "<&{%$[-#/~";
  if (signs.find(first) != std::string_view::npos) return protected_sign_end(word, 0, false) == word.size();
  return may_hold_address(word) && address_end(word, 0) == word.size();
}

void append_word_form(std::string& out, std::string_view surface) {
  if (surface.find(escape_mark) == std::string_view::npos)
    return append_model_form(out, surface, is_protected_word(surface));
  std::string plain, form;
  append_unescaped(plain, surface);
  append_model_form(form, plain, is_protected_word(plain));
  append_escaped(out, form);
}

std::string word_form(std::string_view surface) {
  std::string form;
  append_word_form(form, surface);
  return form;
}

void append_capitalized(std::string& out, std::string_view word, DottedI dotted_i) {
  for (size_t at = 0; at < word.size();) {
    const ReadChar c = read_char(word, at);
    const Category k = category(c.value);
    if (is_cased(k)) {
      append_upper_letter(out, c.value, true, dotted_i);
      out += word.substr(at + c.bytes);
      return;
    }
    if (is_letter(k) || is_number(k)) {
      out += word.substr(at);
      return;
    }
    out += word.substr(at, c.bytes);
    at += c.bytes;
  }
}

void append_all_upper(std::string& out, std::string_view word, DottedI dotted_i) {
  for (size_t at = 0; at < word.size();) {
    const ReadChar c = read_char(word, at);
    if (is_cased(category(c.value)))
      append_upper_letter(out, c.value, false, dotted_i);
    else
      out += word.substr(at, c.bytes);
    at += c.bytes;
  }
}

SentenceRole sentence_role(std::string_view word, const TokenCase& token) {
  // Within <b>A sentence</b> it begins behind the tag.
  if (word.size() > 2 && word.front() == '<' && word.back() == '>') return SentenceRole::neutral;
  if (token.is_word() || token.digits > 0) return SentenceRole::word;
  const char32_t first = read_char(word, 0).value;
  if (first == 0) return SentenceRole::neutral;
  if (terminator(first) != Terminator::none) return SentenceRole::end;
  if (first == ':' || first == U'：') return SentenceRole::colon;
  if (is_quote(first)) return SentenceRole::quote;
  if (first == ',' || first == ';') return SentenceRole::word;
  return SentenceRole::neutral;
}

}  // namespace dragoman::text
