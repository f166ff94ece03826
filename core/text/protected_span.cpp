#include "text/protected_span.h"

#include <algorithm>
#include <iterator>

#include "base/utf8.h"
#include "text/unicode.h"

namespace dragoman::text {
namespace {

constexpr size_t max_placeholder_bytes = 128;
constexpr size_t max_tag_bytes = 2048;
constexpr size_t max_message_bytes = 2048;
constexpr std::string_view message_kinds[] = {"plural", "select", "selectordinal", "number",  "date",
                                              "time",   "choice", "spellout",      "ordinal", "duration"};
constexpr size_t max_path_bytes = 1024;
constexpr size_t max_local_part_bytes = 64;  // of an e-mail address, by its standard

bool alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool digit(char c) { return c >= '0' && c <= '9'; }
bool alnum(char c) { return alpha(c) || digit(c); }
bool name_char(char c) { return alnum(c) || c == '_'; }
bool blank(char c) { return c == ' ' || c == '\t'; }

// A view that answers '\0' beyond its end; NUL never occurs in text.
struct Peek {
  std::string_view line;
  size_t limit;
  Peek(std::string_view text, size_t at, size_t most) : line(text), limit(std::min(text.size(), at + most)) {}
  char operator[](size_t i) const { return i < limit ? line[i] : '\0'; }
};

// <b> </b> <br/> <a href="x y">. Attributes without a value pass only alone or beside one with a value, so that
// "a <b and c> d" is no tag.
size_t tag_end(std::string_view line, size_t at) {
  const Peek p(line, at, max_tag_bytes);
  size_t i = at + 1;
  if (p[i] == '/') ++i;
  if (!alpha(p[i])) return at;
  while (name_char(p[i]) || p[i] == ':' || p[i] == '-' || p[i] == '.') ++i;
  size_t bare = 0;
  size_t valued = 0;
  while (true) {
    const size_t before = i;
    while (blank(p[i])) ++i;
    if (p[i] == '/') ++i;
    if (p[i] == '>') return bare > 1 && valued == 0 ? at : i + 1;
    if (i == before || !(alpha(p[i]) || p[i] == '_' || p[i] == ':')) return at;
    while (name_char(p[i]) || p[i] == ':' || p[i] == '-' || p[i] == '.') ++i;
    if (p[i] != '=') {
      ++bare;
      continue;
    }
    ++valued;
    const char quote = p[++i];
    if (quote == '"' || quote == '\'') {
      do ++i;
      while (p[i] != quote && p[i] != '\0');
      if (p[i] != quote) return at;
      ++i;
    } else {
      while (p[i] != '\0' && !blank(p[i]) && p[i] != '>' && p[i] != '<') ++i;
    }
  }
}

// The rest of &lt;b&gt; or &lt;a href=&quot;x&quot;&gt;; of a sign that opens no tag, nothing.
size_t escaped_tag_end(std::string_view line, size_t at) {
  constexpr std::string_view closing = "&gt;";
  const Peek p(line, at, max_placeholder_bytes);
  const size_t name = at + (p[at] == '/');
  if (!alpha(p[name])) return at;
  for (size_t i = name; p[i] != '\0' && p[i] != '<' && p[i] != '>'; ++i)
    if (line.substr(i).starts_with(closing)) return i + closing.size();
  return at;
}

// &amp; &#160; &#xA0; and all of &lt;b&gt;
size_t entity_end(std::string_view line, size_t at) {
  const Peek p(line, at, 34);
  size_t i = at + 1;
  if (p[i] == '#') {
    ++i;
    if (p[i] == 'x' || p[i] == 'X') ++i;
    const size_t digits = i;
    while (alnum(p[i])) ++i;
    return i > digits && p[i] == ';' ? i + 1 : at;
  }
  if (!alpha(p[i])) return at;
  while (alnum(p[i])) ++i;
  if (i <= at + 2 || p[i] != ';') return at;
  return line.substr(at, i + 1 - at) == "&lt;" ? escaped_tag_end(line, i + 1) : i + 1;
}

// {0} {name} {0:.2f} {{x}} {{ user.name | upper }}; `at` is at the first brace.
size_t brace_end(std::string_view line, size_t at) {
  const Peek p(line, at, max_placeholder_bytes);
  const bool twice = p[at + 1] == '{';
  size_t i = at + 1 + twice;
  auto inside = [&](char c) {
    return name_char(c) || (twice && blank(c)) ||
           (c != '\0' && std::string_view(".:,!$#@+-*%<>=^|/'()").find(c) != std::string_view::npos);
  };
  while (inside(p[i])) ++i;
  if (p[i] != '}' || (twice && (p[i + 1] != '}' || i == at + 2))) return at;
  return i + 1 + twice;
}

// {count, plural, one {# file} other {# files}} {when, date, short}: an argument of ICU's MessageFormat, with all that
// it holds. `at` is at the first brace.
size_t message_argument_end(std::string_view line, size_t at) {
  const Peek p(line, at, max_message_bytes);
  size_t i = at + 1;
  auto skip_blanks = [&] {
    while (blank(p[i])) ++i;
  };
  skip_blanks();
  const size_t name = i;
  while (name_char(p[i]) || p[i] == '-') ++i;
  if (i == name) return at;
  skip_blanks();
  if (p[i++] != ',') return at;
  skip_blanks();
  const size_t kind = i;
  while (alpha(p[i])) ++i;
  if (std::ranges::find(message_kinds, line.substr(kind, i - kind)) == std::end(message_kinds)) return at;
  for (size_t depth = 1; p[i] != '\0'; ++i) {
    if (p[i] == '{') ++depth;
    if (p[i] == '}' && --depth == 0) return i + 1;
  }
  return at;
}

// %d'une is a percentage; in '%d' and %d… it is none.
bool elides(std::string_view line, size_t end) {
  const size_t bytes = line.substr(end, 1) == "'" ? 1 : line.substr(end, 3) == "\xe2\x80\x99" ? 3 : 0;
  return bytes > 0 && end + bytes < line.size() && is_letter(category(decode_utf8(line, end + bytes).value));
}

size_t percent_end(std::string_view line, size_t at, bool elisions);

// %% and, as long as they follow each other, codes like %%X, of which the program that is given the result makes
// something. An odd number of signs ends with a placeholder, or is none.
size_t doubled_percent_end(std::string_view line, size_t at, bool elisions) {
  const Peek p(line, at, max_placeholder_bytes);
  size_t end = at;
  while (p[end] == '%') ++end;
  if ((end - at) % 2 != 0) return percent_end(line, end - 1, elisions) > end - 1 ? end - 1 : at;
  auto is_code = [&](size_t letter) {
    const size_t next = letter + 1;
    if (!alpha(p[letter]) || (elisions && elides(line, next))) return false;
    return next >= line.size() || (!name_char(line[next]) && static_cast<unsigned char>(line[next]) < 0x80) ||
           (line[next] == '_' && p[next + 1] == '%');
  };
  if ((at > 0 && digit(line[at - 1])) || !is_code(end)) return end;
  for (++end; p[end] == '%' && p[end + 1] == '%' && is_code(end + 2);) end += 3;
  return end;
}

// %s %1$s %(name)d %{name} %.2f %-10s %@ %% %1 %Y. After a digit it is a percentage, and a word may follow one directly
// (German 5%ige), so a letter after the conversion speaks against it.
size_t percent_end(std::string_view line, size_t at, bool elisions) {
  const Peek p(line, at, max_placeholder_bytes);
  if (p[at + 1] == '%') return doubled_percent_end(line, at, elisions);
  if (at > 0 && digit(line[at - 1])) return at;
  size_t i = at + 1;
  if (p[i] == '{') {
    const size_t end = brace_end(line, i);
    return end == i ? at : end;
  }
  if (p[i] == '(') {
    const size_t name = ++i;
    while (name_char(p[i]) || p[i] == '.' || p[i] == '-') ++i;
    if (i == name || p[i] != ')') return at;
    ++i;
  }
  const size_t position = i;
  while (digit(p[i])) ++i;
  if (i > position && p[i] == '$')
    ++i;
  else
    i = position;
  while (p[i] == '-' || p[i] == '+' || p[i] == '#' || p[i] == '0') ++i;
  while (digit(p[i]) || p[i] == '*') ++i;
  if (p[i] == '.') {
    ++i;
    while (digit(p[i]) || p[i] == '*') ++i;
  }
  for (int length = 0; length < 2 && alpha(p[i + 1]) &&
                       std::string_view("hlLqjzt").find(p[i]) != std::string_view::npos && p[i] != '\0';
       ++length)
    ++i;
  auto ends_here = [&](size_t end) { return end == line.size() || !name_char(p[end]); };
  if (p[i] == '@') return i + 1;
  // %sx%s and %s_%s: what goes on with another one is no word.
  auto leads_on = [&](size_t end) {
    size_t next = end;
    while (name_char(p[next]) && next < end + 3) ++next;
    return next > end && p[next] == '%' && alpha(p[next + 1]);
  };
  if (alpha(p[i]) && leads_on(i + 1)) return i + 1;
  if (alpha(p[i]) && ends_here(i + 1)) return elisions && elides(line, i + 1) ? at : i + 1;
  // %1 %2 of Qt.
  const size_t number = position;
  size_t end = number;
  while (digit(p[end])) ++end;
  return end > number && end <= number + 2 && ends_here(end) && p[end] != '%' && p[end] != '.' && p[end] != ',' ? end
                                                                                                                : at;
}

// ${x} $[x] $name $unit.name| (a bar ends the name, as in game scripts).
size_t dollar_end(std::string_view line, size_t at) {
  const Peek p(line, at, max_placeholder_bytes);
  if (p[at + 1] == '{') {
    const size_t end = brace_end(line, at + 1);
    return end == at + 1 ? at : end;
  }
  size_t i = at + 1;
  if (p[i] == '[') {
    while (name_char(p[i + 1]) || p[i + 1] == '.') ++i;
    return i > at + 1 && p[i + 1] == ']' ? i + 2 : at;
  }
  if (!(alpha(p[i]) || p[i] == '_')) return at;
  while (name_char(p[i]) || ((p[i] == '.' || p[i] == '$') && name_char(p[i + 1]))) ++i;
  if (p[i] == '|') ++i;
  return i;
}

// [X12X]: capitals and digits, at least one of each.
size_t bracket_end(std::string_view line, size_t at) {
  const Peek p(line, at, 40);
  size_t i = at + 1;
  bool digits = false;
  if (!(p[i] >= 'A' && p[i] <= 'Z')) return at;
  while ((p[i] >= 'A' && p[i] <= 'Z') || digit(p[i]) || p[i] == '_') digits = digit(p[i++]) || digits;
  return digits && p[i] == ']' ? i + 1 : at;
}

// Whether what begins here is not a part of what stands before it.
bool opens_word(std::string_view line, size_t at) {
  return at == 0 || blank(line[at - 1]) || std::string_view("([{\"'`,=|").find(line[at - 1]) != std::string_view::npos;
}

// --long-option, not after a letter or digit.
size_t option_end(std::string_view line, size_t at) {
  const Peek p(line, at, max_placeholder_bytes);
  if (p[at + 1] != '-' || !alpha(p[at + 2])) return at;
  // -s/--skip has two names of one option.
  if (!opens_word(line, at) && line[at - 1] != '/') return at;
  size_t i = at + 2;
  while (name_char(p[i]) || (p[i] == '-' && name_char(p[i + 1]))) ++i;
  return i;
}

// :name :first_name :smile:, at the beginning of a word.
size_t colon_end(std::string_view line, size_t at) {
  const Peek p(line, at, max_placeholder_bytes);
  if (!alpha(p[at + 1]) || !opens_word(line, at)) return at;
  size_t i = at + 1;
  while (name_char(p[i])) ++i;
  return i + (p[i] == ':');
}

// #topic @name, at the beginning of a word; #1 is a number.
size_t tag_word_end(std::string_view line, size_t at) {
  auto letter_at = [&](size_t i) {
    return i < line.size() && (name_char(line[i]) || (static_cast<unsigned char>(line[i]) >= 0x80 &&
                                                      is_letter(category(decode_utf8(line, i).value)) &&
                                                      script(decode_utf8(line, i).value) < Script::hiragana));
  };
  size_t i = at + 1;
  if (!letter_at(i) || digit(line[i]) || !opens_word(line, at)) return at;
  while (letter_at(i) && i < at + max_placeholder_bytes) i += decode_utf8(line, i).bytes;
  return i;
}

// Takes what a sentence put behind an address off it again; a closing parenthesis stays if it was opened inside.
size_t trimmed_address_end(std::string_view line, size_t at, size_t end) {
  const auto span = line.substr(at, end - at);
  ptrdiff_t unopened = std::count(span.begin(), span.end(), ')') - std::count(span.begin(), span.end(), '(');
  for (; end > at; --end) {
    const char last = line[end - 1];
    if (last == ')' ? unopened-- <= 0 : std::string_view(".,;:!?'*]}").find(last) == std::string_view::npos) break;
  }
  return end;
}

// /usr/local/bin ~/.config/app ./run ../src/main.c, at the beginning of a word: two slashes at least, or one after the
// tilde or the points.
size_t path_end(std::string_view line, size_t at) {
  const Peek p(line, at, max_path_bytes);
  size_t i = at;
  if (p[i] == '~') ++i;
  while (p[i] == '.' && i < at + 2) ++i;
  const bool home = i > at;
  if (home && p[i] != '/') return at;
  if (!opens_word(line, at)) return at;
  ++i;
  if (!(name_char(p[i]) || (p[i] == '.' && name_char(p[i + 1])))) return at;
  size_t slashes = 1;
  for (; name_char(p[i]) || (p[i] != '\0' && std::string_view("/.-+~@").find(p[i]) != std::string_view::npos); ++i)
    slashes += p[i] == '/';
  return slashes + home >= 2 ? trimmed_address_end(line, at, i) : at;
}

size_t url_body_end(std::string_view line, size_t i) {
  while (i < line.size()) {
    const CodePoint c = decode_utf8(line, i);
    if (c.value < 0x80
            ? c.value <= ' ' || std::string_view("<>\"`|\\^").find(static_cast<char>(c.value)) != std::string_view::npos
            : !is_letter(c.value) && !is_mark(c.value) && !is_digit(c.value))
      break;
    if (c.value >= 0x2e80 && script(c.value) >= Script::hiragana) break;  // unspaced scripts: the sentence goes on
    i += c.bytes;
  }
  return i;
}

size_t url_end(std::string_view line, size_t at) {
  size_t i = at;
  while (i < line.size() && i < at + 12 && (alnum(line[i]) || line[i] == '+' || line[i] == '-')) ++i;
  const std::string_view rest = line.substr(i);
  size_t body = 0;
  if (alpha(line[at]) && i >= at + 2 && rest.starts_with("://"))
    body = i + 3;
  else if (i == at + 3 && rest.size() > 2 && rest[0] == '.' && alnum(rest[1]) && (line[at] | 32) == 'w' &&
           (line[at + 1] | 32) == 'w' && (line[at + 2] | 32) == 'w')
    body = i + 1;
  else
    return at;
  const size_t end = trimmed_address_end(line, at, url_body_end(line, body));
  return end > body ? end : at;
}

// C:\Users\name\file.txt, as far as there is no space.
size_t drive_path_end(std::string_view line, size_t at) {
  const Peek p(line, at, max_path_bytes);
  if (!alpha(p[at]) || p[at + 1] != ':' || p[at + 2] != '\\' || !name_char(p[at + 3])) return at;
  size_t i = at + 3;
  while (p[i] > ' ' && std::string_view("<>\"|*?;,").find(p[i]) == std::string_view::npos) ++i;
  return trimmed_address_end(line, at, i);
}

size_t email_end(std::string_view line, size_t at) {
  const Peek p(line, at, 320);
  size_t i = at;
  while (i < at + max_local_part_bytes && (name_char(p[i]) || p[i] == '.' || p[i] == '+' || p[i] == '-')) ++i;
  if (p[i] != '@' || !alnum(p[i + 1])) return at;
  ++i;
  size_t dots = 0;
  while (alnum(p[i]) || ((p[i] == '-' || p[i] == '.') && alnum(p[i + 1]))) dots += p[i++] == '.';
  return dots ? i : at;
}

// A span ends where a character ends: what it takes for U is Ù where a combining mark follows, and a name that goes on
// with a Latin letter goes on, however that letter is encoded. So composed and decomposed text have the same spans.
size_t whole_characters(std::string_view line, size_t at, size_t end) {
  if (end == at || end >= line.size() || static_cast<unsigned char>(line[end]) < 0x80) return end;
  const char32_t next = decode_utf8(line, end).value;
  if (is_mark(next)) return at;
  return name_char(line[end - 1]) && is_letter(category(next)) && script(next) == Script::latin ? at : end;
}

size_t sign_end(std::string_view line, size_t at, bool elisions) {
  switch (line[at]) {
    case '<':
      return tag_end(line, at);
    case '&':
      return entity_end(line, at);
    case '{':
      if (const size_t end = brace_end(line, at); end > at) return end;
      return message_argument_end(line, at);
    case '%':
      return percent_end(line, at, elisions);
    case '$':
      return dollar_end(line, at);
    case '[':
      return bracket_end(line, at);
    case '-':
      return option_end(line, at);
    case '/':
    case '~':
    case '.':
      return path_end(line, at);
    case ':':
      return colon_end(line, at);
    case '#':
      if (at + 1 < line.size() && line[at + 1] == '{') {
        const size_t end = brace_end(line, at + 1);
        return end == at + 1 ? at : end;
      }
      return tag_word_end(line, at);
    case '@':
      return tag_word_end(line, at);
    default:
      return at;
  }
}

}  // namespace

size_t protected_sign_end(std::string_view line, size_t at, bool elisions) {
  return whole_characters(line, at, sign_end(line, at, elisions));
}

bool may_hold_address(std::string_view line) {
  return line.find('@') != std::string_view::npos || line.find("://") != std::string_view::npos ||
         line.find("ww.") != std::string_view::npos || line.find("WW.") != std::string_view::npos ||
         line.find(":\\") != std::string_view::npos;
}

size_t address_end(std::string_view line, size_t at) {
  size_t end = url_end(line, at);
  if (end == at) end = email_end(line, at);
  if (end == at) end = drive_path_end(line, at);
  return whole_characters(line, at, end);
}

}  // namespace dragoman::text
