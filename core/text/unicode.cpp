#include "text/unicode.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/kernels.h"

namespace dragoman::text {
namespace {

struct ValueRange {
  char32_t first, last;
  uint8_t value;
};
struct Range {
  char32_t first, last;
};
struct CaseRun {
  char32_t first, last;
  uint32_t stride;
  int32_t delta;
};
struct Decomposition {
  char32_t composed, first, second;  // second 0: a singleton
};
struct Composition {
  char32_t first, second, composed;
};

#include "base/utf8.h"
#include "text/unicode_tables.inc"

using namespace unicode_detail;

// Keeps each distinct block once; `stage_two` grows by whole blocks.
template <class Cell, size_t Capacity>
size_t intern_block(Cell (&stage_two)[Capacity], size_t& used, const Cell* block) {
  for (size_t b = 0; b < used; ++b)
    if (std::memcmp(stage_two + b * block_size, block, block_size * sizeof(Cell)) == 0) return b;
  static_assert(Capacity % block_size == 0);
  // A newer Unicode that needs more blocks than the header grants fails every test at once rather than by halves.
  if ((used + 1) * block_size > Capacity) return 0;
  std::memcpy(stage_two + used * block_size, block, block_size * sizeof(Cell));
  return used++;
}

// Visits the table's ranges block by block: both are sorted, so a cursor per table suffices.
template <class Row, size_t Rows, class Put>
void for_each_in_block(const Row (&rows)[Rows], size_t& cursor, char32_t begin, Put&& put) {
  const char32_t end = begin + block_size;
  while (cursor < Rows && rows[cursor].last < begin) ++cursor;
  for (size_t i = cursor; i < Rows && rows[i].first < end; ++i)
    for (char32_t c = std::max(rows[i].first, begin); c < end && c <= rows[i].last; ++c) put(c - begin, rows[i]);
}

Tables build_tables() {
  Tables t{};
  size_t cursors[5] = {};
  size_t property_blocks = 0;
  for (char32_t begin = 0; begin < 0x110000; begin += block_size) {
    std::array<uint16_t, block_size> cells{};
    auto set = [&](uint16_t bit) { return [&cells, bit](size_t i, const Range&) { cells[i] |= bit; }; };
    for_each_in_block(category_ranges, cursors[0], begin,
                      [&](size_t i, const ValueRange& row) { cells[i] |= row.value; });
    for_each_in_block(script_ranges, cursors[1], begin, [&](size_t i, const ValueRange& row) {
      cells[i] = static_cast<uint16_t>(cells[i] | row.value << script_shift);
    });
    for_each_in_block(space_ranges, cursors[2], begin, set(space_bit));
    for_each_in_block(pictograph_ranges, cursors[3], begin, set(pictograph_bit));
    for_each_in_block(not_quickly_nfc_ranges, cursors[4], begin, set(not_quickly_nfc_bit));
    t.property_block[begin >> block_bits] =
        static_cast<uint16_t>(intern_block(t.properties, property_blocks, cells.data()));
  }

  // Case: block 0 of stage two is all zeros; every block with a cased letter gets one of its own.
  size_t case_blocks = 1;
  auto fill = [&](const auto& runs, int32_t (&deltas)[64 * block_size]) {
    for (const CaseRun& run : runs)
      for (char32_t c = run.first; c <= run.last; c += run.stride) {
        uint8_t& block = t.case_block[c >> block_bits];
        if (block == 0) block = static_cast<uint8_t>(case_blocks++);
        deltas[block << block_bits | (c & (block_size - 1))] = run.delta;
      }
  };
  fill(lower_runs, t.lower_delta);
  fill(upper_runs, t.upper_delta);
  return t;
}

constexpr std::string_view script_names[script_count] = {
    "common",   "inherited", "other",     "latin",      "greek",    "cyrillic", "armenian", "georgian", "hebrew",
    "arabic",   "syriac",    "thaana",    "devanagari", "bengali",  "gurmukhi", "gujarati", "oriya",    "tamil",
    "telugu",   "kannada",   "malayalam", "sinhala",    "thai",     "lao",      "tibetan",  "myanmar",  "khmer",
    "ethiopic", "cherokee",  "mongolian", "hangul",     "hiragana", "katakana", "bopomofo", "han"};

// Hangul syllables compose by arithmetic (chapter 3.12 of the standard).
constexpr char32_t syllable_base = 0xac00, lead_base = 0x1100, vowel_base = 0x1161, trail_base = 0x11a7;
constexpr uint32_t lead_count = 19, vowel_count = 21, trail_count = 28,
                   syllable_count = lead_count * vowel_count * trail_count;

void append_decomposition(std::u32string& out, char32_t c) {
  if (c < 0xc0) {
    out.push_back(c);
    return;
  }
  if (c - syllable_base < syllable_count) {
    const uint32_t index = c - syllable_base;
    out.push_back(lead_base + index / (vowel_count * trail_count));
    out.push_back(vowel_base + index % (vowel_count * trail_count) / trail_count);
    if (index % trail_count) out.push_back(trail_base + index % trail_count);
    return;
  }
  const auto* row = std::lower_bound(std::begin(decompositions), std::end(decompositions), c,
                                     [](const Decomposition& d, char32_t value) { return d.composed < value; });
  if (row == std::end(decompositions) || row->composed != c) {
    out.push_back(c);
    return;
  }
  append_decomposition(out, row->first);
  if (row->second) append_decomposition(out, row->second);
}

// 0 when the two do not compose.
char32_t compose(char32_t first, char32_t second) {
  if (first - lead_base < lead_count && second - vowel_base < vowel_count)
    return syllable_base + ((first - lead_base) * vowel_count + (second - vowel_base)) * trail_count;
  if (first - syllable_base < syllable_count && (first - syllable_base) % trail_count == 0 &&
      second - trail_base - 1 < trail_count - 1)
    return first + (second - trail_base);
  const auto* row =
      std::lower_bound(std::begin(compositions), std::end(compositions), std::pair(first, second),
                       [](const Composition& c, const auto& value) { return std::pair(c.first, c.second) < value; });
  return row != std::end(compositions) && row->first == first && row->second == second ? row->composed : 0;
}

// Decomposes, sorts runs of marks by combining class, composes: the algorithm of chapter 3.11, on one short piece.
void append_composed(std::string& out, std::string_view text) {
  std::u32string points;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    append_decomposition(points, c.value);
    at += c.bytes;
  }
  std::u32string::iterator run;
  for (auto it = points.begin(); it != points.end();) {
    if (combining_class(*it) == 0) {
      ++it;
      continue;
    }
    run = it;
    while (it != points.end() && combining_class(*it) != 0) ++it;
    std::stable_sort(run, it, [](char32_t a, char32_t b) { return combining_class(a) < combining_class(b); });
  }
  size_t written = 0;
  size_t starter = std::u32string::npos;
  int last_class = -1;
  for (const char32_t c : points) {
    const int here = combining_class(c);
    if (starter != std::u32string::npos && last_class < here) {
      if (const char32_t composed = compose(points[starter], c)) {
        points[starter] = composed;
        continue;
      }
    }
    if (here == 0) {
      starter = written;
      last_class = -1;
    } else {
      last_class = here;
    }
    points[written++] = c;
  }
  for (size_t i = 0; i < written; ++i) append_utf8(out, points[i]);
}

bool continues_word(char32_t c) { return is_letter(c) || is_mark(c); }

}  // namespace

namespace unicode_detail {
const Tables tables = build_tables();
}

std::string_view script_name(Script script) { return script_names[static_cast<size_t>(script)]; }
std::string_view unicode_version() { return unicode_version_text; }

void append_lower(std::string& out, std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const unsigned char byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      out.push_back(static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte));
      ++at;
      continue;
    }
    const CodePoint c = decode_utf8(text, at);
    char32_t lower = to_lower(c.value);
    if (c.value == 0x3a3) {  // Σ ends a word when a letter precedes it and none follows
      size_t before = at;
      while (before > 0 && !begins_character(text[before - 1])) --before;
      if (before > 0) --before;
      while (before > 0 && !begins_character(text[before])) --before;
      const bool follows = at + c.bytes < text.size() && continues_word(decode_utf8(text, at + c.bytes).value);
      if (at > 0 && continues_word(decode_utf8(text, before).value) && !follows) lower = 0x3c2;
    }
    append_utf8(out, lower);
    at += c.bytes;
  }
}

uint8_t combining_class(char32_t c) {
  if (c < 0x300) return 0;
  const auto* row = std::lower_bound(std::begin(combining_ranges), std::end(combining_ranges), c,
                                     [](const ValueRange& range, char32_t value) { return range.last < value; });
  return row != std::end(combining_ranges) && row->first <= c ? row->value : 0;
}

bool is_quickly_nfc(std::string_view text) {
  const auto ascii_prefix = base_kernels().ascii_prefix;
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      at += ascii_prefix(text.data() + at, text.size() - at);
      continue;
    }
    const CodePoint c = decode_utf8(text, at);
    if (properties(c.value) & not_quickly_nfc_bit) return false;
    at += c.bytes;
  }
  return true;
}

char32_t base_letter(char32_t c) {
  std::u32string points;
  append_decomposition(points, c);
  const bool accents =
      points.size() > 1 && std::all_of(points.begin() + 1, points.end(), [](char32_t point) { return is_mark(point); });
  return accents ? points[0] : c;
}

size_t append_nfc(std::string& out, std::string_view text) {
  // Text between two boundaries (code points that are quickly NFC, so they have class 0 and nothing before swallows
  // them) normalizes by itself; only the stretches that hold something else are decomposed.
  size_t changed = 0;
  size_t piece = 0;  // begin of the last boundary code point seen
  bool dirty = false;
  auto finish = [&](size_t end) {
    const std::string_view source = text.substr(piece, end - piece);
    const size_t begin = out.size();
    if (dirty)
      append_composed(out, source);
    else
      out.append(source);
    changed += dirty && std::string_view(out).substr(begin) != source;
    piece = end;
    dirty = false;
  };
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    if (c.value >= 0x300 && properties(c.value) & not_quickly_nfc_bit)
      dirty = true;
    else
      finish(at);
    at += c.bytes;
  }
  finish(text.size());
  return changed;
}

}  // namespace dragoman::text
