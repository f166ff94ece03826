#include "text/token_text.h"

#include <charconv>

#include "text/unicode.h"

namespace dragoman::text {
namespace {

constexpr char32_t typographic_apostrophe = 0x2019;

// Formatting that changes nothing a reader sees: soft hyphen, zero-width space, direction marks, word joiner, BOM.
bool is_invisible(char32_t c) {
  return c == 0xad || c == 0x200b || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2060 && c <= 0x2064) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff || c == 0x61c;
}

bool needs_escape(char32_t c) { return c == 0xffed || c == 0x2581 || c == 0xffee || is_space(c); }

bool is_ascii(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  return true;
}

}  // namespace

void append_model_form(std::string& out, std::string_view token, bool keep_case) {
  if (keep_case) {
    if (is_quickly_nfc(token))
      out.append(token);
    else
      append_nfc(out, token);
    return;
  }
  std::string whole;
  if (token.find(' ') != std::string_view::npos) {
    whole = token;
    std::erase(whole, ' ');
    token = whole;
  }
  if (is_ascii(token)) {
    append_lower(out, token);
    return;
  }
  // Apostrophes are straightened inside words and clitics; a ’ that stands alone may be a quotation mark.
  std::string visible;
  bool word = false;
  bool invisible = false;
  for (size_t at = 0; at < token.size();) {
    const CodePoint c = decode_utf8(token, at);
    word = word || is_letter(c.value);
    invisible = invisible || is_invisible(c.value) || c.value == typographic_apostrophe;
    at += c.bytes;
  }
  if (invisible) {
    for (size_t at = 0; at < token.size();) {
      const CodePoint c = decode_utf8(token, at);
      if (c.value == typographic_apostrophe && word)
        visible.push_back('\'');
      else if (!is_invisible(c.value))
        visible.append(token.substr(at, c.bytes));
      at += c.bytes;
    }
    if (!visible.empty()) token = visible;
  }
  if (is_quickly_nfc(token)) {
    append_lower(out, token);
    return;
  }
  // Lowering first could separate what composes (İ with a dot above), so compose, lower, and compose once more.
  std::string composed;
  append_nfc(composed, token);
  std::string lowered;
  append_lower(lowered, composed);
  append_nfc(out, lowered);
}

void append_escaped(std::string& out, std::string_view token) {
  size_t done = 0;
  for (size_t at = 0; at < token.size();) {
    const CodePoint c = decode_utf8(token, at);
    if (needs_escape(c.value)) {
      out.append(token.substr(done, at - done));
      char hex[8];
      const auto end = std::to_chars(hex, hex + sizeof hex, static_cast<uint32_t>(c.value), 16).ptr;
      out.append(escape_mark).append(hex, end).push_back(';');
      done = at + c.bytes;
    }
    at += c.bytes;
  }
  out.append(token.substr(done));
}

void append_unescaped(std::string& out, std::string_view token) {
  for (size_t at = 0;;) {
    const size_t escape = token.find(escape_mark, at);
    if (escape == std::string_view::npos) {
      out.append(token.substr(at));
      return;
    }
    out.append(token.substr(at, escape - at));
    const char* digits = token.data() + escape + escape_mark.size();
    const char* end = token.data() + token.size();
    uint32_t value = 0;
    const auto parsed = std::from_chars(digits, end, value, 16);
    if (parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == ';' && value < 0x110000 &&
        needs_escape(value)) {
      append_utf8(out, value);
      at = static_cast<size_t>(parsed.ptr + 1 - token.data());
    } else {
      out.append(escape_mark);
      at = escape + escape_mark.size();
    }
  }
}

void append_mark(std::string& out, Mark mark) {
  if (mark == Mark::join) out.append(join_mark);
  if (mark == Mark::space) out.append(space_mark);
}

std::string with_marks(Mark before, std::string_view word, Mark after) {
  std::string token;
  append_mark(token, before);
  token += word;
  append_mark(token, after);
  return token;
}

MarkedToken parse_marks(std::string_view token) {
  MarkedToken parsed;
  if (token.starts_with(join_mark)) parsed.before = Mark::join;
  if (token.starts_with(space_mark)) parsed.before = Mark::space;
  if (parsed.before != Mark::none) token.remove_prefix(join_mark.size());
  if (token.ends_with(join_mark)) parsed.after = Mark::join;
  if (token.ends_with(space_mark)) parsed.after = Mark::space;
  if (parsed.after != Mark::none) token.remove_suffix(join_mark.size());
  parsed.text = token;
  return parsed;
}

}  // namespace dragoman::text
