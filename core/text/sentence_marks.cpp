#include "text/sentence_marks.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace dragoman::text {
namespace {

constexpr size_t longest_tag = 512;
constexpr size_t longest_placeholder = 128;
constexpr char32_t replacement_char = 0xfffd;

size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return 2;
  if (lead < 0xf0) return 3;
  return lead < 0xf5 ? 4 : 0;
}

// Marks that end sentences in scripts of their own, sorted.
constexpr std::array<char32_t, 42> script_terminators = {
    0x0589, 0x061d, 0x061e, 0x061f, 0x06d4, 0x0700, 0x0701, 0x0702, 0x07f9, 0x0837, 0x0839, 0x083d, 0x083e, 0x0964,
    0x0965, 0x0f0d, 0x0f0e, 0x104a, 0x104b, 0x1362, 0x1367, 0x1368, 0x166e, 0x1735, 0x1736, 0x17d4, 0x17d5, 0x1803,
    0x1809, 0x1944, 0x1945, 0x1aa8, 0x1b5a, 0x1b5b, 0x1c3b, 0x1c7e, 0xa4ff, 0xa60e, 0xa6f3, 0xa876, 0xa92f, 0xabeb};

}  // namespace

ReadChar read_char(std::string_view text, size_t at) {
  if (at >= text.size()) return {};
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  const size_t length = length_of(lead);
  if (length == 0 || at + length > text.size()) return {replacement_char, 1};
  for (size_t i = 1; i < length; ++i)
    if (begins_character(text[at + i])) return {replacement_char, 1};
  const CodePoint read = decode_utf8(text, at);
  if (read.value > 0x10ffff) return {replacement_char, 1};
  return {read.value, read.bytes};
}

ReadChar read_char_before(std::string_view text, size_t end) {
  if (end == 0) return {};
  size_t begin = end - 1;
  while (begin > 0 && end - begin < 4 && !begins_character(text[begin])) --begin;
  const ReadChar read = read_char(text.substr(0, end), begin);
  return begin + read.bytes == end ? read : ReadChar{replacement_char, 1};
}

Terminator terminator(char32_t c) {
  switch (c) {
    case '.':
      return Terminator::full_stop;
    case U'…':
    case U'‥':
      return Terminator::ellipsis;
    case '!':
    case '?':
    case 0x37e:  // Greek question mark
    case U'‼':
    case U'‽':
    case U'⁇':
    case U'⁈':
    case U'⁉':
      return Terminator::strong;
    case U'。':
    case U'！':
    case U'？':
    case U'．':
    case U'｡':
      return Terminator::wide;
    default:
      if (c < script_terminators.front() || c > script_terminators.back()) return Terminator::none;
      return std::binary_search(script_terminators.begin(), script_terminators.end(), c) ? Terminator::script
                                                                                         : Terminator::none;
  }
}

bool may_matter(unsigned char byte) {
  static constexpr auto table = [] {
    std::array<bool, 256> matters{};
    for (unsigned char c : {'.', '!', '?', ';', '\n', '\r', '<', '{'}) matters[c] = true;
    for (char32_t c : script_terminators) matters[c < 0x800 ? 0xc0 | c >> 6 : 0xe0 | c >> 12] = true;
    matters[0xcd] = true;                                  // U+037E
    matters[0xe2] = matters[0xe3] = matters[0xef] = true;  // … ‼ U+2028, 。, ！？
    return matters;
  }();
  return table[byte];
}

bool is_quote(char32_t c) {
  if (c == '"' || c == '\'' || c == U'„' || c == U'‚' || c == U'‟' || c == U'‛') return true;
  if (c < 0x80) return false;
  const Category k = category(c);
  return k == Category::initial_quote || k == Category::final_quote || (c >= U'「' && c <= U'』') || c == U'＂';
}

bool is_closer(char32_t c) {
  // U+300C and U+300E open only, whatever stands before them.
  if (c == U'「' || c == U'『' || c == U'„' || c == U'‚') return false;
  return is_quote(c) || category(c) == Category::close;
}

bool is_opener(char32_t c) {
  return is_quote(c) || category(c) == Category::open || c == U'¿' || c == U'¡' || c == '*' || c == '_' || c == '#' ||
         c == U'•' || c == U'·' || c == U'‣' || c == U'■' || c == U'§' || category(c) == Category::dash ||
         (c != 0 && (is_mark(c) || category(c) == Category::format));
}

size_t protected_end(std::string_view text, size_t at) {
  if (text[at] == '<') {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    const bool tag =
        (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '/' || next == '!' || next == '?';
    if (!tag) return at;
    const std::string_view window = text.substr(at, longest_tag);
    const size_t end = window.find_first_of("<>\n", 1);
    return end != std::string_view::npos && window[end] == '>' ? at + end + 1 : at;
  }
  if (text[at] == '{') {
    const std::string_view window = text.substr(at, longest_placeholder);
    size_t depth = 0;
    for (size_t i = 0; i < window.size() && window[i] != '\n'; ++i) {
      if (window[i] == '{') ++depth;
      if (window[i] == '}' && --depth == 0) return at + i + 1;
    }
  }
  return at;
}

}  // namespace dragoman::text
