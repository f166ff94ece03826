#include "text/sentence_words.h"

#include "text/sentence_marks.h"

namespace dragoman::text {
namespace {

bool is_vowel(char32_t c) {
  // Every Latin letter beyond ASCII counts as a vowel here: the rule is for plain consonants only.
  if (c > 0x7f) return true;
  constexpr std::string_view vowels = "aeiouyAEIOUY";
  return vowels.find(static_cast<char>(c)) != std::string_view::npos;
}

bool is_roman_numeral(std::string_view token) {
  constexpr std::string_view digits = "IVXLCDM";
  if (token.empty() || token.size() > 9) return false;
  size_t smaller = 0;
  size_t last = digits.size();
  for (char c : token) {
    const size_t value = digits.find(c);
    if (value == std::string_view::npos) return false;
    // A larger digit may follow a smaller one only in pairs such as IV and XC.
    if (value > last && ++smaller > 2) return false;
    if (value > last && (value - last > 2 || last % 2 == 1)) return false;
    last = value;
  }
  return true;
}

}  // namespace

TokenShape shape_of(std::string_view token) {
  TokenShape shape;
  size_t others = 0;
  size_t full_stops = 0;
  size_t upper = 0;
  size_t vowels = 0;
  size_t part = 0;
  size_t longest_part = 0;
  char32_t last = 0;
  bool doubled = false;
  bool first = true;
  if (token.size() > longest_looked_up) return shape;
  for (size_t at = 0; at < token.size();) {
    const ReadChar c = read_char(token, at);
    const Category k = category(c.value);
    doubled |= c.value == last;
    last = c.value;
    if (is_letter(k)) {
      ++shape.letters;
      ++part;
      const bool capital = k == Category::upper_letter || k == Category::title_letter;
      upper += capital;
      shape.is_capitalized |= first && capital;
      vowels += is_vowel(c.value);
    } else if (k == Category::digit) {
      ++shape.digits;
    } else if (c.value == '.') {
      ++full_stops;
      part = 0;
    } else if (!is_mark(k)) {
      ++others;
    }
    longest_part = part > longest_part ? part : longest_part;
    first = false;
    at += c.bytes;
  }
  const bool plain = others == 0 && full_stops == 0;
  shape.is_letters = plain && shape.digits == 0 && shape.letters > 0;
  shape.is_number = plain && shape.letters == 0 && shape.digits > 0;
  shape.is_dotted_number = others == 0 && full_stops > 0 && shape.letters == 0 && shape.digits > 0 && shape.digits <= 6;
  shape.is_dotted = full_stops > 0 && others == 0 && shape.digits == 0 && shape.letters > 0 && longest_part <= 2;
  shape.is_roman = is_roman_numeral(token);
  shape.lacks_vowel = shape.is_letters && vowels == 0 && shape.letters >= 2 && shape.letters <= 5 &&
                      upper < shape.letters && upper <= 1 && !doubled;
  return shape;
}

std::string_view word_at(std::string_view text, size_t at) {
  size_t end = at;
  for (ReadChar c = read_char(text, end); c.bytes != 0 && end - at <= longest_looked_up; c = read_char(text, end)) {
    const Category k = category(c.value);
    if (!is_letter(k) && !is_mark(k) && !is_number(k) && k != Category::connector) break;
    end += c.bytes;
  }
  return text.substr(at, end - at);
}

size_t letters_in(std::string_view word) {
  size_t letters = 0;
  for (size_t at = 0; at < word.size();) {
    const ReadChar c = read_char(word, at);
    letters += is_letter(c.value);
    at += c.bytes;
  }
  return letters;
}

bool is_camel(std::string_view word) {
  bool lower_before = false;
  for (size_t at = 0; at < word.size();) {
    const ReadChar c = read_char(word, at);
    if (lower_before && (is_upper(c.value) || c.value == '_')) return true;
    lower_before = is_lower(c.value);
    at += c.bytes;
  }
  return false;
}

std::string_view token_before_end(std::string_view sentence) {
  size_t begin = sentence.size();
  while (begin > 0 && sentence.size() - begin <= longest_looked_up) {
    const ReadChar c = read_char_before(sentence, begin);
    const Category k = category(c.value);
    const bool bounds = is_space(c.value) || is_quote(c.value) || k == Category::open || k == Category::close ||
                        (k == Category::dash && c.value != '-') || c.value == '>' || c.value == '/' ||
                        c.value == U'¿' || c.value == U'¡' || c.value == '*' || c.value == '_';
    if (bounds) break;
    begin -= c.bytes;
  }
  return sentence.substr(begin);
}

bool is_first(std::string_view sentence, std::string_view token) {
  size_t end = sentence.size() - token.size();
  for (int marks = 0; marks < 16 && end > 0; ++marks) {
    const ReadChar c = read_char_before(sentence, end);
    if (!is_space(c.value) && !is_opener(c.value)) return false;
    end -= c.bytes;
  }
  return end == 0;
}

bool follows_number(std::string_view sentence, std::string_view token) {
  size_t end = sentence.size() - token.size();
  ReadChar c = read_char_before(sentence, end);
  while (c.bytes != 0 && is_space(c.value)) {
    end -= c.bytes;
    c = read_char_before(sentence, end);
  }
  return c.bytes != 0 && is_number(category(c.value));
}

bool follows_initial(std::string_view sentence, std::string_view token) {
  std::string_view before = sentence.substr(0, sentence.size() - token.size());
  while (!before.empty() && before.back() == ' ') before.remove_suffix(1);
  if (!before.ends_with('.')) return false;
  before.remove_suffix(1);
  const TokenShape shape = shape_of(token_before_end(before));
  return shape.letters == 1 && shape.is_letters;
}

void append_lower_safely(std::string& out, std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const ReadChar c = read_char(text, at);
    append_utf8(out, to_lower(c.value));
    at += c.bytes;
  }
}

}  // namespace dragoman::text
