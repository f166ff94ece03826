// The parts of words: separators inside numbers, apostrophes and clitics, enclitics, periods of abbreviations.
#include <algorithm>
#include <string_view>

#include "text/scanner.h"
#include "text/signs.h"

namespace dragoman::text {
namespace {

bool ascii_digit(char c) { return c >= '0' && c <= '9'; }

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

// The end of a date or of a number in groups, three or more with the same sign between them (2023-05-06, 12/31/2002,
// 555-123-4567), or `end`. Cut up, it would lose a sign or a group on the way. A range (2012-2013) is two numbers.
size_t Scanner::grouped_end(size_t at, size_t end) const {
  if (end >= line_.size() || (line_[end] != '-' && line_[end] != '/')) return end;
  if (line_.substr(at, end - at).find_first_not_of("0123456789") != std::string_view::npos) return end;
  size_t groups = 1;
  size_t last = end;
  while (last + 1 < line_.size() && line_[last] == line_[end] && ascii_digit(line_[last + 1])) {
    do ++last;
    while (last < line_.size() && ascii_digit(line_[last]));
    ++groups;
  }
  return groups >= 3 && !is_word_at(last) ? last : end;
}

// Extends a run of digits over separators that digits follow: 1,234.56 10:30 1'000 2023-05-06.
size_t Scanner::number_end(size_t at, size_t end) const {
  if (!ascii_digit(line_[at])) return end;
  if (const size_t whole = grouped_end(at, end); whole > end) return whole;
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
    if (const size_t sign = apostrophe_after(end); is_apostrophe(sign, bytes)) {
      ends[count++] = sign + bytes;  // po'
      if (count < 6) ends[count++] = end;
      end = sign + bytes;
      if (end < line_.size() && line_[end] == ' ' && is_letter_at(end + 1)) ++end;  // aujourd' hui
    } else {
      ends[count++] = end;
      if (end >= line_.size() || line_[end] != '-') break;
      ++end;
    }
  }
  size_t longest = at;
  for (size_t i = 0; i < count; ++i)
    if (ends[i] > longest && roles_of(at, ends[i]) & Language::whole_word) longest = ends[i];
  return longest;
}

// Where an apostrophe stands that has a space on both sides, or `at`.
size_t Scanner::apostrophe_after(size_t at) const {
  size_t bytes = 0;
  const bool spaced = at < line_.size() && line_[at] == ' ' && is_apostrophe(at + 1, bytes) &&
                      at + 1 + bytes < line_.size() && line_[at + 1 + bytes] == ' ';
  return spaced ? at + 1 : at;
}

// A word stopped at a space. Its end where an apostrophe with spaces around it belongs to it, as in `l ’ homme`.
size_t Scanner::spaced_apostrophe_end(size_t begin, size_t end) const {
  size_t bytes = 0;
  const size_t sign = apostrophe_after(end);
  if (sign == end || !is_apostrophe(sign, bytes)) return end;
  if (const size_t whole = whole_word_end(begin); whole > end) return whole;
  return roles_of(begin, sign + bytes) & Language::elision ? sign + bytes : end;
}

// The end of a clitic that stands after a space (John 's, John ’ s, dit -il), or `at`. An enclitic in capitals may be
// what somebody says after a dash.
size_t Scanner::spaced_clitic_end(size_t at) const {
  if (tokens_.empty() || at == 0 || line_[at - 1] != ' ' || last_end_ + 1 != at || !is_word_end(last_end_)) return at;
  size_t bytes = 0;
  if (is_apostrophe(at, bytes)) {
    size_t letters = at + bytes;
    if (letters < line_.size() && line_[letters] == ' ') ++letters;
    const size_t rest = plain_word_end(letters);
    const bool quoted = is_apostrophe(rest, bytes);
    return rest > letters && rest - at < 9 && !quoted && roles_of(at, rest) & Language::clitic ? rest : at;
  }
  if (line_[at] != '-' || !language_.has_enclitics() || !is_lower_at(at + 1)) return at;
  size_t rest = plain_word_end(at + 1);
  if (line_.substr(at, 3) == "-t-") rest = std::max(rest, plain_word_end(at + 3));
  return rest - at <= 16 && roles_of(at, rest) & Language::enclitic ? rest : at;
}

// A word stopped at an apostrophe. Emits what is before it where it is cut; `ended` says that the word is over.
size_t Scanner::scan_apostrophe(size_t begin, size_t end, size_t bytes, bool& ended) {
  ended = true;
  const size_t after = end + bytes;
  const size_t rest = plain_word_end(after);
  if (roles_of(begin, after) & Language::elision) {
    emit(begin, after);
    return after;
  }
  if (rest == after || !is_letter_at(after)) {
    emit(begin, end);
    return end;
  }
  // don't: the clitic takes the n with it.
  const char before = line_[end - 1];
  if ((before == 'n' || before == 'N') && end - 1 > begin && roles_of(end - 1, rest) & Language::clitic) {
    emit(begin, end - 1);
    emit(end - 1, rest);
    return rest;
  }
  if (roles_of(end, rest) & Language::clitic) {
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
    if (!(roles_of(end, next) & Language::enclitic)) return at;
    ends[count++] = next;
  }
  for (size_t i = 0; i < count; ++i) {
    emit(at, ends[i]);
    at = ends[i];
  }
  return at;
}

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
  while (follow < line_.size()) {
    const CodePoint c = decode_utf8(line_, follow);
    if (!is_space(c.value)) break;
    follow += c.bytes;
  }
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
  const uint8_t roles = roles_of(begin, end);
  if (roles & Language::number_word && !last && ascii_digit(line_[follow])) return true;
  const CodePoint first = decode_utf8(word, 0);
  if (marks_end(line_, begin + first.bytes) == end)  // an initial
    return is_upper(first.value) && !last;
  if (word.find_first_not_of("IVXLC") == std::string_view::npos && ordinal(8)) return true;
  return roles & Language::abbreviation;
}

}  // namespace dragoman::text
