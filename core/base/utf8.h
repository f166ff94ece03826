// UTF-8 as bytes and code points. Text is validated once where it enters the core; after that decode_utf8 may assume
// it is well formed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dragoman {

// The offset of the first byte that does not belong to well-formed UTF-8 (no surrogates, no overlong forms, nothing
// above U+10FFFF), or npos.
size_t find_invalid_utf8(std::string_view text);

// Throws InputError naming the line (1-based, counted from first_line) unless the text is well-formed UTF-8 without
// NUL bytes.
void require_text(std::string_view text, uint64_t first_line = 1);

// Whether a byte is none of those that go on with a character.
inline bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

// How many characters a well-formed text has.
inline size_t characters_of(std::string_view text) {
  size_t characters = 0;
  for (const char byte : text) characters += begins_character(byte);
  return characters;
}

struct CodePoint {
  char32_t value;
  uint32_t bytes;
};

// The code point at text[at]; the text must be well formed and at < size.
inline CodePoint decode_utf8(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xe0) return {(lead & 0x1f) << 6 | (byte(1) & 0x3fu), 2};
  if (lead < 0xf0) return {(lead & 0x0f) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu), 3};
  return {(lead & 0x07) << 18 | (byte(1) & 0x3fu) << 12 | (byte(2) & 0x3fu) << 6 | (byte(3) & 0x3fu), 4};
}

void append_utf8(std::string& text, char32_t code_point);

}  // namespace dragoman
