#include "text/spacing.h"

#include <string>

#include "text/signs.h"
#include "text/token_text.h"

namespace dragoman::text {
namespace {

using enum SpacingClass;

SpacingShape punctuation_shape(char32_t c, const Language& language) {
  switch (c) {
    case '"':
      return {quote, 0};
    case '\'':
      return {quote, 1};
    case '`':
      return {quote, 2};
    case 0x201e:
      return {low_quote, 0};
    case 0x201a:
      return {low_quote, 1};
    case 0x201c:
      return {high_quote, 0};
    case 0x2018:
      return {high_quote, 1};
    case 0x201d:
      return {right_quote, 0};
    case 0x2019:
      return {right_quote, 1};
    case 0xab:
    case 0x2039:
      return {language.spaced_guillemets() ? apart : left_guillemet, 1};
    case 0xbb:
    case 0x203a:
      return {language.spaced_guillemets() ? apart : right_guillemet, 1};
    case '-':
    case 0x2010:
    case 0x2011:
    case 0x5be:  // Hebrew maqaf
    case '/':
    case '\\':
    case '^':
      return {hyphen, 0};
    case '#':
    case '@':
    case '~':
    case 0xa1:  // ¡ ¿
    case 0xbf:
      return {prefix, 0};
    case 0xb0:
      return {degree, 0};
    case 0xae:    // ®
    case 0x2122:  // ™
    case 0x2032:  // ′ ″
    case 0x2033:
      return {close, 0};
    case '*':
    case '&':
    case 0xa7:    // §
    case 0xb6:    // ¶
    case 0x2020:  // † ‡ •
    case 0x2021:
    case 0x2022:
      return {infix, 0};
    default:
      break;
  }
  if ((c >= 0x3000 && c <= 0x303f) || (c >= 0xff01 && c <= 0xff65) || c == 0x30fb) return {ideographic, 0};
  switch (category(c)) {
    case Category::open:
    case Category::initial_quote:
      return {open, 0};
    case Category::close:
    case Category::final_quote:
    case Category::other_punctuation:
      return {close, 0};
    case Category::currency_symbol:
      return {currency, 0};
    case Category::connector:
      return {word, 0};
    default:
      return {infix, 0};
  }
}

// 1 for a word in s, which may take a possessive apostrophe; 2 for c and f, which follow a degree sign.
uint8_t word_variant(std::string_view text) {
  const char last = text.back();
  if (last == 's' || last == 'S') return 1;
  return text.size() == 1 && (last == 'c' || last == 'C' || last == 'f' || last == 'F') ? 2 : 0;
}

bool has_apostrophe_end(std::string_view text) { return text.ends_with('\'') || text.ends_with("\xe2\x80\x99"); }

}  // namespace

Spacing::Spacing(const Language& language) : language_(&language) {
  for (char32_t c = 0; c < 128; ++c) {
    const std::string text(1, static_cast<char>(c));
    const Category kind = category(c);
    if (is_letter(kind))
      ascii_[c] = {word, word_variant(text)};
    else if (is_number(kind))
      ascii_[c] = {number, 0};
    else if (language.is_spaced_punctuation(text))
      ascii_[c] = {apart, 0};
    else
      ascii_[c] = punctuation_shape(c, language);
  }
}

SpacingShape Spacing::shape_of(std::string_view text) const {
  const unsigned char lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) {
    if (text.size() == 1) return ascii_[lead];
    if (ascii_[lead].kind == word && text.size() > 5 && !has_apostrophe_end(text)) return {word, word_variant(text)};
  }
  return shape_of_other(text);
}

SpacingShape Spacing::shape_of_other(std::string_view text) const {
  const CodePoint first = decode_utf8(text, 0);
  const char32_t c = first.value;
  const Category kind = category(c);
  const bool one = first.bytes == text.size();
  const bool apostrophe = c == '\'' || c == 0x2019;
  // Clitics first: they begin or end like punctuation or like words.
  if (!one && (is_letter(kind) || apostrophe || c == '-')) {
    const bool candidate = apostrophe || has_apostrophe_end(text) || c == '-' || text.size() <= 5;
    if (candidate) {
      std::string key;
      append_model_form(key, text, false);
      const uint8_t roles = language_->roles(key);
      if (roles & Language::elision) return {elision, 0};
      if (roles & (Language::clitic | Language::enclitic)) return {clitic, 0};
    }
    if (apostrophe) return {word, word_variant(text)};
  }
  if (kind == Category::digit || kind == Category::other_number) return {number, 0};
  if (is_letter(kind) || is_mark(kind) || kind == Category::letter_number) {
    const Script s = script(c);
    if (is_ideographic(s)) return {ideograph, 0};
    if (is_clustered(s)) return {cluster, 0};
    return {word, word_variant(text)};
  }
  if (one) return language_->is_spaced_punctuation(text) ? SpacingShape{apart, 0} : punctuation_shape(c, *language_);
  const char32_t second = decode_utf8(text, first.bytes).value;
  if (c == '<' && text.size() > 2 && text.back() == '>') {
    if (second == '/') return {close_tag, 0};
    return {text[text.size() - 2] == '/' ? placeholder : open_tag, 0};
  }
  size_t run = first.bytes;
  while (text.substr(run).starts_with(text.substr(0, first.bytes))) run += first.bytes;
  const bool goes_on = run < text.size() && !is_mark(decode_utf8(text, run).value);  // ../run.sh
  if (second == c && !goes_on && c != '%' && c != '{') {                             // a run: ... !!! ---
    if (c == '-' || c == '<' || c == '>') return {infix, 0};
    return punctuation_or_apart(c, text.substr(0, first.bytes));
  }
  // A sign with combining marks is spaced like the sign; anything else here is a protected span or an emoji.
  if (is_mark(second) && !is_pictograph(c)) return punctuation_or_apart(c, text.substr(0, first.bytes));
  return {is_emoji(c) ? infix : placeholder, 0};
}

SpacingShape Spacing::punctuation_or_apart(char32_t c, std::string_view first) const {
  return language_->is_spaced_punctuation(first) ? SpacingShape{apart, 0} : punctuation_shape(c, *language_);
}

Spacing::Role Spacing::quote_role(const State& state, SpacingShape right, bool ends) const {
  switch (right.kind) {
    case quote:
      if (state.first) return Role::opens;
      return state.quote_open[right.variant] || ends ? Role::closes : Role::opens;
    case low_quote:
      return Role::opens;
    case high_quote:
      return state.low_open[right.variant] ? Role::closes : Role::opens;
    case right_quote:
      return state.first ? Role::opens : Role::closes;
    case left_guillemet:
      return state.guillemet < 0 ? Role::closes : Role::opens;
    case right_guillemet:
      return state.guillemet == 0 && !ends && language_->reversed_guillemets() ? Role::opens : Role::closes;
    default:
      return Role::none;
  }
}

bool Spacing::default_joined(const State& state, SpacingShape right, bool ends) const {
  if (state.joins_right) return true;
  const SpacingClass left = state.previous.kind;
  // A space is no surprise where the language has them between words: `in 東京 today`.
  const bool beside_ideograph = left == ideographic || (left == ideograph && language_->joins_ideographs());
  switch (right.kind) {
    case close:
    case clitic:
    case degree:
    case hyphen:
    case ideographic:
    case close_tag:
      return true;
    case apart:
      return left == apart && state.previous.variant == 0 && right.variant == 0;  // ?! but « Quoi » ?
    case quote:
    case low_quote:
    case high_quote:
    case right_quote:
    case left_guillemet:
    case right_guillemet:
      if (left == ideographic) return true;
      // workers' rights: a possessive, where no quotation is open.
      if (right.kind == quote && right.variant == 1 && left == word && state.previous.variant == 1) return true;
      return quote_role(state, right, ends) == Role::closes &&
             !(right.kind == quote && state.quote_spaced[right.variant]);
    case ideograph:
      return left == ideograph || left == ideographic ||
             (language_->joins_ideographs() && (left < ideograph || left == close));
    case cluster:
      return left == cluster || left == ideographic;
    case number:
      return left == currency || beside_ideograph;
    case word:
      return beside_ideograph || (left == degree && right.variant == 2);
    default:
      return left == ideographic;
  }
}

void Spacing::advance(State& state, SpacingShape right, bool joined, bool ends) const {
  // Was the opening quote before this token followed by a space? Then its closing one is expected to be preceded by
  // one: " so " rather than "so".
  if (state.opened_quote) state.quote_spaced[state.previous.variant] = !joined;
  state.opened_quote = false;
  const bool default_left = !state.first && default_joined(state, right, ends);
  Role role = quote_role(state, right, ends);
  switch (right.kind) {
    case elision:
    case open:
    case prefix:
    case open_tag:
    case ideographic:
      state.joins_right = true;
      break;
    case hyphen:
    case infix:
      state.joins_right = !state.first && joined;
      break;
    case quote: {
      const bool possessive = right.variant == 1 && role == Role::opens && joined && !state.first &&
                              state.previous.kind == word && state.previous.variant == 1;
      // The quotes of a line need not balance; how this one is really spaced says more than the count.
      if (role == Role::closes && !joined && default_left && !ends) role = Role::opens;
      if (role == Role::opens && joined && !default_left) role = Role::closes;
      state.joins_right = role == Role::opens && !possessive;
      if (!possessive) {
        state.quote_open[right.variant] = role == Role::opens;
        state.opened_quote = role == Role::opens;
        state.quote_spaced[right.variant] = false;
      }
      break;
    }
    case low_quote:
    case high_quote:
    case right_quote:
      state.joins_right = role == Role::opens;
      state.low_open[right.variant] = right.kind == low_quote;
      break;
    case left_guillemet:
    case right_guillemet:
      state.joins_right = role == Role::opens;
      state.guillemet = role == Role::closes ? 0 : right.kind == left_guillemet ? 1 : -1;
      break;
    default:
      state.joins_right = false;
      break;
  }
  state.previous = right;
  state.first = false;
}

}  // namespace dragoman::text
