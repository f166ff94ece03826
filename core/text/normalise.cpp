#include "text/normalise.h"

#include "base/utf8.h"
#include "text/signs.h"
#include "text/unicode.h"

namespace dragoman::text {
namespace {

// What bytes 80 to 9F mean in Windows-1252; 0 where it has nothing.
constexpr char32_t windows_1252[32] = {0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
                                       0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017d, 0,
                                       0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                       0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

constexpr char32_t keep = 0xffffffff;
constexpr char32_t remove = 0xfffffffe;

// What a character becomes, and the count it goes under.
char32_t replacement(char32_t c, char32_t before, char32_t after, NormaliseReport& report) {
  if (c < 0x20 || c == 0x7f) {
    if (c == '\t' || c == '\n') return keep;
    if (c == '\r') return ++report.line_ends, after == '\n' ? remove : U' ';
    return ++report.controls, is_space(c) ? U' ' : remove;
  }
  if (c < 0x80) return keep;
  if (c < 0xa0) {
    const char32_t meant = windows_1252[c - 0x80];
    return meant ? (++report.windows_1252, meant) : (++report.controls, remove);
  }
  if (c == 0xad) return ++report.soft_hyphens, remove;
  if (c < 0x2000) return keep;
  if (c == 0x200b) {
    if (is_clustered(script(before)) || is_clustered(script(after))) return keep;
    return ++report.zero_width_spaces, remove;
  }
  if (c == 0x2028 || c == 0x2029) return ++report.line_ends, U' ';
  if (c >= 0x2060 && c <= 0x2064) return ++report.word_joiners, remove;
  if (c == 0xfeff) return ++report.byte_order_marks, remove;
  if (c == 0xfffd) return ++report.replacements, keep;
  if ((c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef)) return ++report.noncharacters, remove;
  return keep;
}

}  // namespace

std::string normalise(std::string_view text, NormaliseReport& report) {
  std::string clean;
  size_t done = 0;
  char32_t before = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    const size_t next = at + c.bytes;
    if (c.value < 0x20 || c.value >= 0x7f) {
      const char32_t after = next < text.size() ? decode_utf8(text, next).value : 0;
      const char32_t becomes = replacement(c.value, before, after, report);
      if (becomes != keep) {
        clean.append(text.substr(done, at - done));
        if (becomes != remove) append_utf8(clean, becomes);
        done = next;
      }
    }
    before = c.value;
    at = next;
  }
  if (done > 0) {
    clean.append(text.substr(done));
    text = clean;
  }
  if (is_quickly_nfc(text)) return done > 0 ? clean : std::string(text);
  std::string composed;
  composed.reserve(text.size());
  report.composed += append_nfc(composed, text);
  return composed;
}

}  // namespace dragoman::text
