#include "text/signs.h"

namespace dragoman::text {
namespace {

bool is_regional(char32_t c) { return c >= 0x1f1e6 && c <= 0x1f1ff; }
bool is_emoji_modifier(char32_t c) {
  return (c >= 0x1f3fb && c <= 0x1f3ff) || (c >= 0xe0020 && c <= 0xe007f);  // skin tones, tags of regional flags
}

// Runs of these are one token: ... !!! ---. Brackets, quotes, commas and percent signs are counted one by one.
bool repeats(char32_t c) {
  if (c == ',' || c == ';' || c == ':' || c == '"' || c == '\'' || c == '%') return false;
  const Category kind = category(c);
  return kind == Category::other_punctuation || kind == Category::dash || kind == Category::math_symbol ||
         kind == Category::modifier_symbol || kind == Category::other_symbol;
}

// A vowel sign written before its consonant, as Thai and Lao do.
bool is_leading_vowel(char32_t c) { return (c >= 0xe40 && c <= 0xe44) || (c >= 0xec0 && c <= 0xec4); }
// Vowels that are letters to Unicode but end a cluster: ะ า ำ and Lao ະ າ ຳ.
bool is_trailing_vowel(char32_t c) {
  return c == 0xe30 || c == 0xe32 || c == 0xe33 || c == 0xe45 || c == 0xeb0 || c == 0xeb2 || c == 0xeb3;
}
// Signs that stack the next consonant under this one: Khmer coeng, Myanmar virama.
bool is_stacker(char32_t c) { return c == 0x17d2 || c == 0x1039; }

size_t emoji_end(std::string_view line, size_t at, CodePoint c) {
  size_t end = at + c.bytes;
  bool flag = is_regional(c.value);
  while (end < line.size()) {
    const CodePoint next = decode_utf8(line, end);
    if (flag && is_regional(next.value)) {
      flag = false;
    } else if (next.value == zero_width_joiner) {
      const size_t after = end + next.bytes;
      if (after >= line.size() || !is_pictograph(decode_utf8(line, after).value)) return marks_end(line, end);
      end = after + decode_utf8(line, after).bytes;
      continue;
    } else if (!is_mark(next.value) && !is_emoji_modifier(next.value)) {
      break;
    }
    end += next.bytes;
  }
  return end;
}

}  // namespace

size_t marks_end(std::string_view line, size_t at) {
  while (at < line.size() && static_cast<unsigned char>(line[at]) >= 0x80) {
    const CodePoint c = decode_utf8(line, at);
    if (!is_mark(c.value) && c.value != zero_width_joiner && c.value != zero_width_non_joiner) break;
    at += c.bytes;
  }
  return at;
}

size_t cluster_end(std::string_view line, size_t at) {
  const CodePoint first = decode_utf8(line, at);
  size_t end = at + first.bytes;
  if (!is_clustered(script(first.value))) return marks_end(line, end);
  bool takes_consonant = is_leading_vowel(first.value);
  while (end < line.size()) {
    const CodePoint c = decode_utf8(line, end);
    const bool hangs_on = is_mark(c.value) || is_trailing_vowel(c.value) || c.value == zero_width_joiner ||
                          c.value == zero_width_non_joiner;
    if (!hangs_on && !(takes_consonant && is_letter(c.value) && is_clustered(script(c.value)))) break;
    takes_consonant = is_stacker(c.value);
    end += c.bytes;
  }
  return end;
}

size_t sign_end(std::string_view line, size_t at) {
  const CodePoint c = decode_utf8(line, at);
  if (is_emoji(c.value)) return emoji_end(line, at, c);
  size_t end = at + c.bytes;
  if (repeats(c.value))
    while (line.substr(end).starts_with(line.substr(at, c.bytes))) end += c.bytes;
  return marks_end(line, end);
}

}  // namespace dragoman::text
