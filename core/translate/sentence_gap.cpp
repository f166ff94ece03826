#include "translate/sentence_gap.h"

#include "base/utf8.h"
#include "text/unicode.h"

namespace dragoman::translate {
namespace {

constexpr char32_t ideographic_space = 0x3000;

// What a gap is made of; line ends, tabs and words are none of these.
struct GapSpaces {
  bool only = true;
  size_t count = 0;
  bool ideographic = false;
};

GapSpaces spaces_of(std::string_view gap) {
  GapSpaces spaces;
  for (size_t at = 0; at < gap.size();) {
    const CodePoint c = decode_utf8(gap, at);
    ++spaces.count;
    spaces.only = spaces.only && category(c.value) == Category::space;
    spaces.ideographic = spaces.ideographic || c.value == ideographic_space;
    at += c.bytes;
  }
  return spaces;
}

size_t last_character(std::string_view text) {
  size_t at = text.size() - 1;
  while (at > 0 && !begins_character(text[at])) --at;
  return at;
}

// Whether a text ends in what joins everything, 。 or an ideograph, but for quotes that close there.
bool ends_wide(const Spacing& spacing, std::string_view text) {
  while (!text.empty()) {
    const size_t at = last_character(text);
    const SpacingClass kind = spacing.shape_of(text.substr(at)).kind;
    if (kind < SpacingClass::quote || kind > SpacingClass::right_guillemet)
      return kind == SpacingClass::ideographic || kind == SpacingClass::ideograph;
    text = text.substr(0, at);
  }
  return false;
}

bool begins_with_word(const Spacing& spacing, std::string_view text) {
  const SpacingClass kind = spacing.shape_of(text.substr(0, decode_utf8(text, 0).bytes)).kind;
  return kind == SpacingClass::word || kind == SpacingClass::number;
}

}  // namespace

std::string_view sentence_gap(const Tokenizer& target, std::string_view before, std::string_view gap,
                              std::string_view after) {
  const GapSpaces spaces = spaces_of(gap);
  // Three spaces and more stand between columns.
  if (!spaces.only || spaces.count > 2 || before.empty() || after.empty()) return gap;
  if (target.rules().spaces_sentences()) return gap.empty() || spaces.ideographic ? " " : gap;
  // Words of another script stay apart.
  const bool stays = begins_with_word(target.spacing(), after) && !ends_wide(target.spacing(), before);
  return stays ? gap : "";
}

}  // namespace dragoman::translate
