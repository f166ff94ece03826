#include "base/utf8.h"

#include <algorithm>

#include "base/errors.h"
#include "base/kernels.h"

namespace dragoman {
namespace {

// Length of the well-formed sequence at `p`, or 0 (table 3-7 of the Unicode standard).
size_t sequence_length(const unsigned char* p, size_t left) {
  const unsigned char lead = p[0];
  auto trail = [&](size_t i, unsigned char low = 0x80, unsigned char high = 0xbf) {
    return i < left && p[i] >= low && p[i] <= high;
  };
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return trail(1) ? 2 : 0;
  if (lead < 0xf0) {
    const unsigned char low = lead == 0xe0 ? 0xa0 : 0x80;
    const unsigned char high = lead == 0xed ? 0x9f : 0xbf;
    return trail(1, low, high) && trail(2) ? 3 : 0;
  }
  if (lead < 0xf5) {
    const unsigned char low = lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xf4 ? 0x8f : 0xbf;
    return trail(1, low, high) && trail(2) && trail(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

size_t find_invalid_utf8(std::string_view text) {
  const auto ascii_prefix = base_kernels().ascii_prefix;
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      at += ascii_prefix(text.data() + at, text.size() - at);
      continue;
    }
    const size_t length = sequence_length(reinterpret_cast<const unsigned char*>(text.data()) + at, text.size() - at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

void require_text(std::string_view text, uint64_t first_line) {
  auto line_of = [&](size_t at) {
    return first_line +
           static_cast<uint64_t>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n'));
  };
  if (const size_t at = find_invalid_utf8(text); at != std::string_view::npos)
    throw InputError(line_of(at), "the text is not UTF-8; convert it first, for example with iconv");
  if (const size_t at = text.find('\0'); at != std::string_view::npos)
    throw InputError(line_of(at), "the text holds a NUL byte; is this a text file?");
}

void append_utf8(std::string& text, char32_t c) {
  auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

}  // namespace dragoman
