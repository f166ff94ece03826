#include "text/scanner.h"

#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "text/protected_span.h"
#include "text/signs.h"
#include "text/unicode.h"

namespace dragoman::text {
namespace {

enum : uint8_t { other_byte, word_byte, space_byte, sign_byte };

// What a byte can begin: part of a word, white space, a sign that may open a protected span.
struct ByteClasses {
  uint8_t of[256] = {};
  constexpr ByteClasses() {
    for (int c = 'a'; c <= 'z'; ++c) of[c] = of[c - 32] = word_byte;
    for (int c = '0'; c <= '9'; ++c) of[c] = word_byte;
    of[int{'_'}] = word_byte;
    for (const char c : {' ', '\t', '\n', '\v', '\f', '\r', '\x1c', '\x1d', '\x1e', '\x1f'})
      of[static_cast<unsigned char>(c)] = space_byte;
    for (const char c : {'<', '&', '{', '%', '$', '[', '-', '#', '/', '~', '.', ':', '@'})
      of[static_cast<unsigned char>(c)] = sign_byte;
  }
};
constexpr ByteClasses byte_classes;

uint8_t byte_class(char c) { return byte_classes.of[static_cast<unsigned char>(c)]; }
bool ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

constexpr char32_t keycap = 0x20e3;
// Of no script, and after katakana part of the word: ー, and half-width ｰ ﾞ ﾟ.
constexpr bool hangs_on_katakana(char32_t c) { return c == 0x30fc || c == 0xff70 || c == 0xff9e || c == 0xff9f; }

// Letters, marks, numbers, connectors and invisible formatting make words, but for the scripts that do not space them.
bool is_word_point(char32_t c) {
  const Category kind = category(c);
  if (is_letter(kind)) return !is_unspaced(script(c));
  return (is_mark(kind) && !is_unspaced(script(c)) && c != keycap) || is_number(kind) || kind == Category::connector ||
         (kind == Category::format && c != 0xfeff);
}

}  // namespace

Scanner::Scanner(std::string_view line, const Language& language, std::vector<Token>& tokens)
    : line_(line), language_(language), tokens_(tokens), addresses_(may_hold_address(line)) {}

void Scanner::emit(size_t begin, size_t end, bool is_protected) {
  tokens_.push_back({begin, end, is_protected, !tokens_.empty() && begin == last_end_});
  last_end_ = end;
}

bool Scanner::is_apostrophe(size_t at, size_t& bytes) const {
  if (at >= line_.size()) return false;
  if (line_[at] == '\'') return bytes = 1, true;
  return line_.substr(at, 3) == "\xe2\x80\x99" ? (bytes = 3, true) : false;
}

// What the language's lists say of a span; they hold no long words, so a long span costs nothing.
uint8_t Scanner::roles_of(size_t begin, size_t end) const {
  if (end - begin > 48) return 0;
  std::string key;
  append_model_form(key, line_.substr(begin, end - begin), false);
  return language_.roles(key);
}

bool Scanner::is_word_at(size_t at) const {
  if (at >= line_.size()) return false;
  if (ascii(line_[at])) return byte_class(line_[at]) == word_byte;
  return is_word_point(decode_utf8(line_, at).value);
}

bool Scanner::is_letter_at(size_t at) const {
  return at < line_.size() && is_word_at(at) && is_letter(decode_utf8(line_, at).value);
}

bool Scanner::is_lower_at(size_t at) const {
  return at < line_.size() && is_word_at(at) && is_lower(decode_utf8(line_, at).value);
}

// Whether a letter or digit stands before.
bool Scanner::is_word_end(size_t at) const {
  size_t begin = at - 1;
  while (begin > 0 && !begins_character(line_[begin])) --begin;
  return is_word_at(begin);
}

size_t Scanner::plain_word_end(size_t at) const {
  while (at < line_.size()) {
    if (ascii(line_[at])) {
      if (byte_class(line_[at]) != word_byte) break;
      ++at;
      continue;
    }
    const CodePoint c = decode_utf8(line_, at);
    if (!is_word_point(c.value)) break;
    at += c.bytes;
  }
  return at;
}

void Scanner::scan() {
  for (size_t at = 0; at < line_.size();) {
    const char lead = line_[at];
    if (ascii(lead)) {
      const uint8_t kind = byte_class(lead);
      if (kind == space_byte) {
        ++at;
      } else if (kind == word_byte) {
        at = scan_word(at);
      } else {
        if (kind == sign_byte)
          if (const size_t end = protected_sign_end(line_, at, language_.has_elisions()); end > at) {
            emit(at, end, true);
            at = end;
            continue;
          }
        at = scan_sign(at);
      }
      continue;
    }
    const CodePoint c = decode_utf8(line_, at);
    if (is_space(c.value)) {
      at += c.bytes;
    } else if (is_word_point(c.value)) {
      at = scan_word(at);
    } else if (is_letter(c.value) || (is_mark(c.value) && is_unspaced(script(c.value)))) {
      const size_t end = ideograph_end(at);
      emit(at, end);
      at = end;
    } else {
      at = scan_sign(at);
    }
  }
}

// An ideograph or cluster, or the katakana that stand together, with the marks that lengthen a vowel.
size_t Scanner::ideograph_end(size_t at) const {
  size_t end = cluster_end(line_, at);
  if (!language_.has_katakana_words() || script(decode_utf8(line_, at).value) != Script::katakana) return end;
  while (end < line_.size()) {
    const char32_t c = decode_utf8(line_, end).value;
    if (!is_letter(c) || (script(c) != Script::katakana && !hangs_on_katakana(c))) break;
    end = cluster_end(line_, end);
  }
  return end;
}

size_t Scanner::scan_word(size_t at) {
  if (addresses_)
    if (const size_t end = address_end(line_, at); end > at) {
      emit(at, end, true);
      return end;
    }
  size_t end = plain_word_end(at);
  if (end == line_.size()) {
    emit(at, end);
    return end;
  }
  end = number_end(at, end);
  while (end < line_.size()) {
    const char c = line_[end];
    size_t bytes = 0;
    if (is_apostrophe(end, bytes)) {
      if (const size_t whole = whole_word_end(at); whole > end) {
        emit(at, whole);
        return whole;
      }
      bool ended = true;
      const size_t next = scan_apostrophe(at, end, bytes, ended);
      if (ended) return scan_enclitics(next);
      end = next;
    } else if (c == '.') {
      const size_t next = period_end(at, end);
      if (next == end) break;
      end = next;
      if (line_[end - 1] == '.') break;
    } else if (c == '-') {
      if (const size_t whole = whole_word_end(at); whole > end) {
        emit(at, whole);
        return whole;
      }
      break;
    } else if (line_.substr(end, 2) == "\xc2\xb7" && is_letter_at(end + 2)) {  // Catalan l·l
      end = plain_word_end(end + 2);
    } else if (const size_t next = joined_capitals_end(at, end); next > end) {
      end = next;
    } else if (c == ' ') {
      const size_t whole = spaced_apostrophe_end(at, end);
      if (whole == end) break;
      emit(at, whole);
      return whole;
    } else if (keycap_at(end)) {
      end = marks_end(line_, end);
    } else if (const size_t next = hebrew_quote_end(end); next > end) {
      end = plain_word_end(next);
    } else {
      break;
    }
  }
  emit(at, end);
  return scan_enclitics(end);
}

// A word stopped at a sign. The end of AT&T, R&D and AT&amp;T, with nothing but capitals around the sign, or `end`.
size_t Scanner::joined_capitals_end(size_t at, size_t end) const {
  constexpr std::string_view entity = "&amp;";
  auto capital = [&](char c) { return c >= 'A' && c <= 'Z'; };
  if (line_[end] != '&' || end - at > 4) return end;
  const size_t next = end + (line_.substr(end).starts_with(entity) ? entity.size() : 1);
  if (next == line_.size() || !capital(line_[next])) return end;
  const size_t word = plain_word_end(next), last = std::min(word, next + 5);
  const bool joins = std::all_of(line_.begin() + at, line_.begin() + end, capital) &&
                     std::all_of(line_.begin() + next, line_.begin() + last, capital) &&
                     (next > end + 1 || protected_sign_end(line_, end, false) == end);
  return joins ? word : end;
}

bool Scanner::keycap_at(size_t at) const { return !ascii(line_[at]) && decode_utf8(line_, at).value == keycap; }

// The end of °C, °F or °K, or `at`.
size_t Scanner::degrees_end(size_t at) const {
  constexpr std::string_view degree = "\xc2\xb0";
  const size_t letter = at + degree.size();
  if (!line_.substr(at).starts_with(degree) || letter >= line_.size()) return at;
  const bool unit = line_[letter] == 'C' || line_[letter] == 'F' || line_[letter] == 'K';
  return unit && plain_word_end(letter) == letter + 1 ? letter + 1 : at;
}

// A sign, unless it is an apostrophe that belongs to a word: Dutch 's, or 's after a closing quote.
size_t Scanner::scan_sign(size_t at) {
  size_t bytes = 0;
  size_t end = at;
  if (is_apostrophe(at, bytes) && is_letter_at(at + bytes)) {
    end = whole_word_end(at);
    const size_t rest = plain_word_end(at + bytes);
    if (end == at && !tokens_.empty() && last_end_ == at && rest - at < 8 && roles_of(at, rest) & Language::clitic)
      end = rest;
  }
  if (end == at) end = spaced_clitic_end(at);
  if (end == at) end = degrees_end(at);
  if (end == at) end = sign_end(line_, at);
  emit(at, end);
  return end;
}

}  // namespace dragoman::text
