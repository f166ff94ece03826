#include "text/splitter.h"

#include <algorithm>

#include "text/lines.h"
#include "text/sentence_marks.h"
#include "text/sentence_words.h"
#include "text/signs.h"

namespace dragoman::text {
namespace {

// How far back an unpaired quotation mark is looked for.
constexpr size_t quote_window = 2000;

bool is_line_end(char32_t c) { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029; }

size_t skip_space(std::string_view text, size_t at) {
  for (ReadChar c = read_char(text, at); c.bytes != 0 && is_space(c.value); c = read_char(text, at)) at += c.bytes;
  return at;
}

size_t trim_end(std::string_view text, size_t begin, size_t end) {
  while (end > begin) {
    const ReadChar c = read_char_before(text, end);
    if (!is_space(c.value)) break;
    end -= c.bytes;
  }
  return end;
}

// The line end at `at` and the white space after it hold another line end.
bool is_blank_line(std::string_view text, size_t at) {
  size_t ends = 0;
  for (ReadChar c = read_char(text, at); c.bytes != 0 && is_space(c.value); c = read_char(text, at)) {
    if (c.value == 0x2029) return true;
    if (c.value == '\n' || c.value == 0x2028 || (c.value == '\r' && read_char(text, at + 1).value != '\n')) ++ends;
    at += c.bytes;
  }
  return ends > 1;
}

bool odd_quotes(std::string_view text) {
  text = text.substr(text.size() - std::min(text.size(), quote_window));
  return std::count(text.begin(), text.end(), '"') % 2 == 1;
}

// `</b>`, `<br/>`, `<br>`: belongs to what stands before it.
bool is_closing_tag(std::string_view tag) {
  return tag.starts_with("</") || tag.ends_with("/>") || tag == "<br>" || tag == "<BR>";
}

// `[12]` after a full stop points to a note and belongs to the sentence; so do ¹²³.
size_t note_end(std::string_view text, size_t at) {
  const ReadChar c = read_char(text, at);
  if (c.value == U'¹' || c.value == U'²' || c.value == U'³') return at + c.bytes;
  if (c.value != '[') return at;
  size_t end = at + 1;
  while (end < text.size() && end < at + 5 && text[end] >= '0' && text[end] <= '9') ++end;
  return end > at + 1 && end < text.size() && text[end] == ']' ? end + 1 : at;
}

}  // namespace

// A run of terminators and what closes after it.
struct SentenceSplitter::Ending {
  size_t run_begin = 0;
  size_t run_end = 0;
  size_t end = 0;  // after closing quotation marks, brackets, tags and notes
  size_t full_stops = 0;
  bool strong = false;
  bool ellipsis = false;
  bool wide = false;
  bool script = false;
  bool quoted = false;     // a quotation mark closes after it
  bool bracketed = false;  // `(!)`, `[…]`: only the run stands between brackets
  bool tagged = false;
  char32_t last_closer = 0;
};

// What begins after white space, past opening marks.
struct SentenceSplitter::Following {
  enum class Kind : uint8_t { nothing, lower, upper, digit, uncased, punctuation, symbol };
  Kind kind = Kind::nothing;
  std::string_view word;
  bool initial = false;   // a single letter and a full stop, or with a hyphen
  bool elided = false;    // an apostrophe follows the word
  bool opened = false;    // an opening mark stands before it
  bool ellipsis = false;  // begins with one
};

SentenceSplitter::SentenceSplitter(std::string_view language, Newlines newlines)
    : table_(sentence_table(language)), language_(language.empty() ? "und" : language), newlines_(newlines) {
  learn(table_.before_word, before_word);
  learn(table_.before_number, before_number);
  learn(table_.anywhere, anywhere);
  learn(table_.closing, closing);
  learn(table_.starters, starter);
}

void SentenceSplitter::learn(std::string_view words, Use use) {
  for_each_word(words, [&](std::string_view word) { uses_[word] |= use; });
}

uint8_t SentenceSplitter::uses(std::string_view word) const {
  if (word.empty() || word.size() > longest_looked_up) return 0;
  uint8_t uses = 0;
  if (auto entry = uses_.find(word); entry != uses_.end()) uses |= entry->second;
  std::string lower;
  append_lower_safely(lower, word);
  if (lower != word)
    if (auto entry = uses_.find(lower); entry != uses_.end()) uses |= entry->second;
  // What keeps its full stop as a token is an abbreviation here too, unless the table knows better.
  if (uses == 0) {
    const uint8_t roles = language_.roles(lower);
    if (roles & Language::abbreviation) uses |= anywhere;
    if (roles & Language::number_word) uses |= before_number;
  }
  return uses;
}

Terminator SentenceSplitter::kind_of(char32_t c) const {
  return c == ';' && table_.semicolon_asks ? Terminator::strong : terminator(c);
}

bool SentenceSplitter::ends_compound(std::string_view token) const {
  bool ends = false;
  for_each_word(table_.compound_ends,
                [&](std::string_view end) { ends |= token.size() > end.size() && token.ends_with(end); });
  return ends;
}

SentenceSplitter::Ending SentenceSplitter::read_ending(std::string_view text, size_t sentence_begin, size_t at) const {
  Ending ending;
  ending.run_begin = at;
  // The run; `. . .` and `? !` are one.
  for (size_t look = at;;) {
    const ReadChar c = read_char(text, look);
    const Terminator kind = c.bytes ? kind_of(c.value) : Terminator::none;
    if (kind == Terminator::none) {
      if (look == at && look > ending.run_begin && c.value == ' ') {
        const Terminator after = kind_of(read_char(text, look + 1).value);
        const bool single_dot = after == Terminator::full_stop && read_char(text, look + 2).value != '.';
        const bool spaced_dots =
            single_dot && !ending.strong && text[look - 1] == '.' && (ending.full_stops == 1 || text[look - 2] == ' ');
        if (after == Terminator::strong || spaced_dots) {
          ++look;
          continue;
        }
      }
      break;
    }
    ending.full_stops += kind == Terminator::full_stop;
    ending.ellipsis |= kind == Terminator::ellipsis || ending.full_stops > 1;
    ending.strong |= kind == Terminator::strong;
    ending.wide |= kind == Terminator::wide;
    ending.script |= kind == Terminator::script;
    look += c.bytes;
    at = look;
  }
  ending.run_end = at;

  const char32_t before = read_char_before(text.substr(sentence_begin), ending.run_begin - sentence_begin).value;
  bool first = true;
  for (;; first = false) {
    ReadChar c = read_char(text, at);
    if (c.bytes == 0) break;
    // After 。 and its like no white space tells what opens; only German closes by “, and does not use them.
    const bool opens = ending.wide && (c.value == U'“' || c.value == U'‘');
    if (is_closer(c.value) && !opens) {
      ending.bracketed |= first && (before == '(' || before == '[' || before == U'（');
      ending.quoted |= is_quote(c.value);
      ending.last_closer = c.value;
      at += c.bytes;
    } else if (const size_t tag_end = c.value == '<' ? protected_end(text, at) : at; tag_end != at) {
      if (!is_closing_tag(text.substr(at, tag_end - at))) break;
      ending.tagged = true;
      at = tag_end;
    } else if (const size_t note = note_end(text, at); note != at) {
      at = note;
    } else if (is_space(c.value) && !is_line_end(c.value)) {
      // ` »` and the like close too, where white space or the end follows them.
      const size_t closer_at = skip_space(text, at);
      const ReadChar closer = read_char(text, closer_at);
      const bool straight = closer.value == '"' && odd_quotes(text.substr(sentence_begin, closer_at - sentence_begin));
      const bool closes = straight || closer.value == U'»' || closer.value == U'”' || closer.value == U'›' ||
                          (closer.bytes && category(closer.value) == Category::close);
      const ReadChar after = closes ? read_char(text, closer_at + closer.bytes) : ReadChar{'x', 1};
      if (after.bytes != 0 && !is_space(after.value)) break;
      ending.quoted |= is_quote(closer.value);
      ending.last_closer = closer.value;
      at = closer_at + closer.bytes;
    } else {
      break;
    }
  }
  ending.end = at;
  return ending;
}

SentenceSplitter::Following SentenceSplitter::read_following(std::string_view text, size_t at) const {
  using Kind = Following::Kind;
  Following next;
  // Opening marks are few; the limit keeps a line of dashes from being read again and again.
  for (int marks = 0; marks < 16; ++marks) {
    at = skip_space(text, at);
    const ReadChar c = read_char(text, at);
    if (c.bytes == 0) return next;
    if (const size_t tag_end = c.value == '<' ? protected_end(text, at) : at; tag_end != at) {
      at = tag_end;
    } else if (is_opener(c.value)) {
      next.opened = true;
      at += c.bytes;
    } else {
      break;
    }
  }
  const ReadChar c = read_char(text, at);
  if (c.bytes == 0) return next;
  next.word = word_at(text, at);
  next.ellipsis = c.value == U'…' || text.substr(at, 2) == "..";
  const size_t word_end = at + next.word.size();
  const char32_t after_word = read_char(text, word_end).value;
  next.initial = letters_in(next.word) == 1 && (after_word == '.' || after_word == '-');
  next.elided = after_word == '\'' || after_word == U'’';
  const Category k = category(c.value);
  if (k == Category::lower_letter)
    next.kind = is_camel(next.word) ? Kind::upper : Kind::lower;
  else if (k == Category::upper_letter || k == Category::title_letter)
    next.kind = Kind::upper;
  else if (is_letter(k))
    next.kind = Kind::uncased;
  else if (is_number(k))
    next.kind = Kind::digit;
  else if (is_punctuation(k))
    next.kind = c.value == '{' || c.value == '%' || c.value == '&' ? Kind::symbol : Kind::punctuation;
  else
    next.kind = Kind::symbol;
  return next;
}

bool SentenceSplitter::ends_sentence(std::string_view text, size_t sentence_begin, const Ending& ending) const {
  using Kind = Following::Kind;
  const ReadChar after = read_char(text, ending.end);
  if (after.bytes == 0) return true;
  if (ending.bracketed) return false;
  const Following next = read_following(text, ending.end);
  if (ending.wide || ending.script) {
    if (next.kind == Kind::punctuation || next.kind == Kind::lower) return false;
    // 「…。」と言った: a particle goes on with the sentence.
    const bool particle = script(after.value) == Script::hiragana;
    return !(particle && ending.last_closer != 0);
  }
  const bool apart =
      is_space(after.value) || ending.tagged || (after.value == '<' && protected_end(text, ending.end) != ending.end);
  // Without white space: `!` before 你 still ends, `a.b` does not.
  if (!apart) return (ending.strong || ending.ellipsis) && is_unspaced(script(after.value));
  switch (next.kind) {
    case Kind::nothing:
      return true;
    case Kind::lower:
      return small_starts(text, sentence_begin, ending);
    case Kind::punctuation:
      return next.ellipsis;
    default:
      break;
  }
  if (ending.strong) return true;
  if (ending.ellipsis) return next.kind != Kind::digit;
  return full_stop_ends(text, sentence_begin, ending, next);
}

// A small letter goes on with the sentence as a rule. It begins one after a full stop that no abbreviation explains: a
// word of five letters or more, in a language whose abbreviations are known. Where the sentence itself began small the
// writer uses no capitals, and shorter words and other marks will do.
bool SentenceSplitter::small_starts(std::string_view text, size_t sentence_begin, const Ending& ending) const {
  if (ending.last_closer != 0 || ending.ellipsis) return false;
  const bool began_small = is_lower(read_char(text, sentence_begin).value);
  if (ending.strong) return began_small;
  const std::string_view token = token_before_end(text.substr(sentence_begin, ending.run_begin - sentence_begin));
  const TokenShape shape = shape_of(token);
  const size_t needed = began_small ? 3 : 5;
  return !table_.language.empty() && shape.is_letters && shape.letters >= needed && !shape.lacks_vowel &&
         (uses(token) & ~starter) == 0;
}

bool SentenceSplitter::full_stop_ends(std::string_view text, size_t sentence_begin, const Ending& ending,
                                      const Following& next) const {
  using Kind = Following::Kind;
  const std::string_view sentence = text.substr(sentence_begin, ending.run_begin - sentence_begin);
  const std::string_view token = token_before_end(sentence);
  if (token.empty()) return true;
  const TokenShape shape = shape_of(token);
  const bool digit = next.kind == Kind::digit;
  const bool starts =
      next.kind == Kind::upper && !next.initial &&
      ((uses(next.word) & starter) != 0 || (next.elided && (uses(std::string(next.word) + '\'') & starter) != 0));
  const bool first = is_first(sentence, token);

  // `1.`, `a.`, `IV.` at the beginning number what follows.
  const bool marker =
      shape.letters == 1 || (shape.is_number && shape.digits <= 3) || shape.is_dotted_number || shape.is_roman;
  if (first && marker && ending.last_closer == 0) return false;
  // What closes in quotation marks is over, whatever its last word.
  if (ending.quoted && !digit && next.kind == Kind::upper) return true;

  if (shape.is_number) {
    if (!table_.ordinal_full_stop || shape.digits > 3) return true;
    if (digit) return shape.digits == 3;
    return starts || (!table_.capital_nouns && next.kind != Kind::symbol);
  }
  if (table_.ordinal_full_stop && shape.is_roman) return starts;

  const uint8_t use = uses(token);
  if (use & before_word) return starts && !shape.is_capitalized && !shape.is_dotted;
  if (use & before_number && (digit || shape_of(next.word).is_roman)) return false;
  if (use & closing) return starts || (next.kind == Kind::upper && !table_.capital_nouns);
  if (use & anywhere || ends_compound(token)) return starts;
  if (use & before_number && shape.lacks_vowel) return starts;
  // Initials and abbreviations made of initials; a letter may also be a name (`Plan B.`).
  if (shape.letters == 1 && shape.is_letters) {
    if (!shape.is_capitalized && follows_number(sentence, token)) return true;
    return starts && !follows_initial(sentence, token);
  }
  if (shape.is_dotted) return starts;
  // `Bldg.`: no word of a language with vowels looks so, but units after a number do.
  if (shape.lacks_vowel && !table_.syllabic_consonants && !follows_number(sentence, token)) return starts || digit;
  return true;
}

std::vector<TextSpan> SentenceSplitter::split(std::string_view text, std::span<const TextSpan> protected_spans) const {
  std::vector<TextSpan> spans;
  size_t begin = skip_space(text, 0);
  auto cut = [&](size_t end) {
    end = trim_end(text, begin, end);
    if (end > begin) spans.push_back({begin, end});
  };
  size_t at = begin;
  size_t next_protected = 0;
  while (at < text.size()) {
    if (!may_matter(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    while (next_protected < protected_spans.size() && protected_spans[next_protected].end <= at) ++next_protected;
    if (next_protected < protected_spans.size() && protected_spans[next_protected].begin <= at) {
      at = std::min<size_t>(protected_spans[next_protected].end, text.size());
      continue;
    }
    const ReadChar c = read_char(text, at);
    if (is_line_end(c.value)) {
      const bool ends =
          newlines_ == Newlines::end_sentences || (newlines_ == Newlines::blank_lines_end && is_blank_line(text, at));
      if (ends) {
        cut(at);
        at = begin = skip_space(text, at);
      } else {
        at += c.bytes;
      }
      continue;
    }
    if (const size_t end = protected_end(text, at); end != at) {
      at = end;
      continue;
    }
    if (kind_of(c.value) == Terminator::none || at < begin) {
      at += c.bytes;
      continue;
    }
    const Ending ending = read_ending(text, begin, at);
    // A span given by the caller that covers the place is never cut.
    size_t reaching = next_protected;  // the first span that reaches beyond the place
    while (reaching < protected_spans.size() && protected_spans[reaching].end <= ending.end) ++reaching;
    const bool covered = reaching < protected_spans.size() && protected_spans[reaching].begin < ending.end;
    if (!covered && ends_sentence(text, begin, ending)) {
      cut(ending.end);
      begin = skip_space(text, ending.end);
      at = std::max(begin, ending.end);
    } else {
      at = ending.run_end;
    }
  }
  cut(text.size());
  return spans;
}

}  // namespace dragoman::text
