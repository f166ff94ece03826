#include "corpus/scanner.h"

#include <algorithm>
#include <string>

#include "corpus/protected_span.h"
#include "corpus/signs.h"
#include "corpus/unicode.h"

namespace dragoman {
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
    for (const char c : {'<', '&', '{', '%', '$', '[', '-', '#'}) of[static_cast<unsigned char>(c)] = sign_byte;
  }
};
constexpr ByteClasses byte_classes;

uint8_t byte_class(char c) { return byte_classes.of[static_cast<unsigned char>(c)]; }
bool ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool ascii_digit(char c) { return c >= '0' && c <= '9'; }

constexpr char32_t keycap = 0x20e3;

// Letters, marks, numbers, connectors and invisible formatting make words, but for the scripts that do not space them.
bool is_word_point(char32_t c) {
  const Category kind = category(c);
  if (is_letter(kind)) return !is_unspaced(script(c));
  return (is_mark(kind) && !is_unspaced(script(c)) && c != keycap) || is_number(kind) || kind == Category::connector ||
         (kind == Category::format && c != 0xfeff);
}

std::string folded(std::string_view text) {
  std::string key;
  append_model_form(key, text, false);
  return key;
}

// Characters, not counting the marks on them, so that composed and decomposed text count alike.
size_t base_points(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    count += !is_mark(c.value);
    at += c.bytes;
  }
  return count;
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
      const size_t end = cluster_end(line_, at);
      emit(at, end);
      at = end;
    } else {
      at = scan_sign(at);
    }
  }
}

// Extends a run of digits over separators that digits follow: 1,234.56 10:30 1'000.
size_t Scanner::number_end(size_t at, size_t end) const {
  if (!ascii_digit(line_[at])) return end;
  while (end + 1 < line_.size() && ascii_digit(line_[end - 1]) && ascii_digit(line_[end + 1])) {
    const char c = line_[end];
    const bool thousand = c == '\'' && end + 3 < line_.size() && ascii_digit(line_[end + 2]) &&
                          ascii_digit(line_[end + 3]) && !is_word_at(end + 4);
    if (c != '.' && c != ',' && c != ':' && !thousand) break;
    end = plain_word_end(end + 1);
  }
  return end;
}

// The end of a word of the language's list of words with an apostrophe or a hyphen, or `at`.
size_t Scanner::whole_word_end(size_t at) const {
  size_t end = at;
  size_t ends[6];
  size_t count = 0;
  size_t bytes = 0;
  if (is_apostrophe(end, bytes)) end += bytes;
  while (count < 6) {
    const size_t next = plain_word_end(end);
    if (next == end) break;
    end = next;
    if (is_apostrophe(end, bytes)) {
      ends[count++] = end + bytes;  // po'
      if (count < 6) ends[count++] = end;
      end += bytes;
    } else {
      ends[count++] = end;
      if (end >= line_.size() || line_[end] != '-') break;
      ++end;
    }
  }
  size_t longest = at;
  for (size_t i = 0; i < count; ++i)
    if (ends[i] > longest && ends[i] - at <= 64 &&
        language_.roles(folded(line_.substr(at, ends[i] - at))) & Language::whole_word)
      longest = ends[i];
  return longest;
}

// A word stopped at an apostrophe. Emits what is before it where it is cut; `ended` says that the word is over.
size_t Scanner::scan_apostrophe(size_t begin, size_t end, size_t bytes, bool& ended) {
  ended = true;
  const size_t after = end + bytes;
  const size_t rest = plain_word_end(after);
  if (language_.roles(folded(line_.substr(begin, after - begin))) & Language::elision) {
    emit(begin, after);
    return after;
  }
  if (rest == after || !is_letter_at(after)) {
    emit(begin, end);
    return end;
  }
  // don't: the clitic takes the n with it.
  const std::string tail = folded(line_.substr(end, rest - end));
  const char before = line_[end - 1];
  if ((before == 'n' || before == 'N') && end - 1 > begin && language_.roles("n" + tail) & Language::clitic) {
    emit(begin, end - 1);
    emit(end - 1, rest);
    return rest;
  }
  if (language_.roles(tail) & Language::clitic) {
    emit(begin, end);
    emit(end, rest);
    return rest;
  }
  ended = false;
  return rest;
}

// After a word: -t-il, -vous, -li, as long as nothing but another of them follows directly.
size_t Scanner::scan_enclitics(size_t at) {
  if (!language_.has_enclitics()) return at;
  size_t ends[4];
  size_t count = 0;
  for (size_t end = at; end < line_.size() && line_[end] == '-'; end = ends[count - 1]) {
    if (count == 4) return at;
    size_t next = plain_word_end(end + 1);
    if (next == end + 1) break;
    if (line_.substr(end, 3) == "-t-" || line_.substr(end, 3) == "-T-")
      if (const size_t whole = plain_word_end(end + 3); whole > end + 3) next = whole;
    size_t bytes = 0;
    if (next - end > 16 || is_apostrophe(next, bytes)) return at;
    if (!(language_.roles(folded(line_.substr(end, next - end))) & Language::enclitic)) return at;
    ends[count++] = next;
  }
  for (size_t i = 0; i < count; ++i) {
    emit(at, ends[i]);
    at = ends[i];
  }
  return at;
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

bool Scanner::keycap_at(size_t at) const { return !ascii(line_[at]) && decode_utf8(line_, at).value == keycap; }

// צה"ל: a quotation mark between Hebrew letters makes an acronym.
size_t Scanner::hebrew_quote_end(size_t at) const {
  const CodePoint c = decode_utf8(line_, at);
  if (c.value != '"' && c.value != 0x5f4 && c.value != 0x5f3) return at;
  const size_t next = at + c.bytes;
  if (next >= line_.size() || at < 2 || script(decode_utf8(line_, next).value) != Script::hebrew) return at;
  return script(decode_utf8(line_, at - 2).value) == Script::hebrew ? next : at;
}

// A word or number stopped at a period: how far it goes on.
size_t Scanner::period_end(size_t begin, size_t end) const {
  const size_t next = end + 1;
  // unit.name, z.B., U.S.A: letters or digits follow. After a longer word a capital begins a new sentence.
  if (is_lower_at(next) || (next < line_.size() && ascii_digit(line_[next]))) return plain_word_end(next);
  size_t part = end;
  while (part > begin && end - part <= 16 && line_[part - 1] != '.') --part;
  if (is_letter_at(next) && !ascii_digit(line_[end - 1]) && base_points(line_.substr(part, end - part)) <= 2)
    return plain_word_end(next);
  return !is_word_at(next) && keeps_period(begin, end) ? next : end;
}

bool Scanner::keeps_period(size_t begin, size_t end) const {
  size_t follow = end + 1;
  if (follow < line_.size() && (line_[follow] == '.' || line_[follow] == '\'')) return false;
  while (follow < line_.size() && byte_class(line_[follow]) == space_byte) ++follow;
  const bool spaced = follow > end + 1;
  const bool last = follow >= line_.size();
  const std::string_view word = line_.substr(begin, end - begin);
  // 27. and XIV. are ordinals before a word; a year at the end of a sentence is not.
  auto ordinal = [&](size_t most) {
    const OrdinalDots dots = language_.ordinal_dots();
    if (dots == OrdinalDots::never || !spaced || word.size() > most || !is_letter_at(follow)) return false;
    return dots == OrdinalDots::before_words || is_lower_at(follow);
  };
  if (ascii_digit(word[0])) return word.find_first_not_of("0123456789") == std::string_view::npos && ordinal(3);
  if (word.find('.') != std::string_view::npos) {  // U.S. p.m. z.B.: parts of one or two letters
    for (size_t part = 0, dot = 0; part <= word.size(); part = dot + 1) {
      dot = std::min(word.find('.', part), word.size());
      if (base_points(word.substr(part, dot - part)) > 2) return false;
    }
    return is_letter(decode_utf8(word, 0).value);
  }
  if (word.size() > 32) return false;
  const uint8_t roles = language_.roles(folded(word));
  if (roles & Language::number_word && !last && ascii_digit(line_[follow])) return true;
  const CodePoint first = decode_utf8(word, 0);
  if (marks_end(line_, begin + first.bytes) == end)  // an initial
    return is_upper(first.value) && !last;
  if (word.find_first_not_of("IVXLC") == std::string_view::npos && ordinal(8)) return true;
  return roles & Language::abbreviation;
}

// A sign, unless it is an apostrophe that belongs to a word: Dutch 's, or 's after a closing quote.
size_t Scanner::scan_sign(size_t at) {
  size_t bytes = 0;
  size_t end = at;
  if (is_apostrophe(at, bytes) && is_letter_at(at + bytes)) {
    end = whole_word_end(at);
    const size_t rest = plain_word_end(at + bytes);
    if (end == at && !tokens_.empty() && last_end_ == at && rest - at < 8 &&
        language_.roles(folded(line_.substr(at, rest - at))) & Language::clitic)
      end = rest;
  }
  if (end == at) end = sign_end(line_, at);
  emit(at, end);
  return end;
}

}  // namespace dragoman
