// Whether two neighbouring tokens are written together by default. Tokenizing marks only the places that deviate and
// detokenizing applies the same function plus the marks, so the round trip is exact by construction, and generated
// text without marks still reads well. The function sees token texts only, never the scanner's knowledge, and no
// letter case: what it says of a token must be the same on both sides.
//
// A line is walked from left to right with a little state: straight quotes alternate between opening and closing,
// “ closes where „ is open, and a dash, slash or other infix is spaced on the right as it was on the left.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/namespaces.h"
#include "text/language.h"

namespace dragoman::text {

enum class SpacingClass : uint8_t {
  word,         // spaced on both sides; also URLs
  number,       // a word that currency signs join
  ideograph,    // joins words and its like
  cluster,      // Thai, Lao, Khmer, Myanmar: joins its like
  placeholder,  // {0}, %s, &amp;: spaced on both sides, but carries marks
  elision,      // l': joins right
  clitic,       // 's, n't, -il: joins left
  open,         // ( [ ¿: joins right
  close,        // ) , .: joins left
  apart,        // French ? and so on: a space before, but joins its like
  currency,     // joins a number on its right
  hyphen,       // joins left by default; on the right as on the left
  infix,        // – + = &: spaced by default; on the right as on the left
  prefix,       // # @: joins right
  degree,       // °: joins left, and C or F on its right
  quote,        // " ' `: alternates
  low_quote,    // „ ‚: opens
  high_quote,   // “ ‘: closes after a low quote, else opens
  right_quote,  // ” ’: closes, unless it begins the line
  left_guillemet,
  right_guillemet,
  ideographic,  // 。「: joins everything
  open_tag,     // <b>: joins right
  close_tag     // </b>: joins left
};

// What spacing needs to know of a token.
struct SpacingShape {
  SpacingClass kind;
  uint8_t variant;  // which quote; for words 1 when it ends in s, 2 when it is c or f
};

// Of two neighbours the heavier one carries the mark, the right one of equals: words never do beside anything else.
constexpr int mark_weight(SpacingClass kind) {
  if (kind <= SpacingClass::cluster) return 0;
  return kind <= SpacingClass::clitic ? 1 : 2;
}

class Spacing {
 public:
  explicit Spacing(const Language& language);

  // text is not empty.
  SpacingShape shape_of(std::string_view text) const;

  struct State {
    bool first = true;
    bool joins_right = false;   // what the previous token does to its right by default
    bool opened_quote = false;  // the previous token is an opening straight quote
    SpacingShape previous{SpacingClass::word, 0};
    bool quote_open[3] = {};
    bool quote_spaced[3] = {};  // the open quote was followed by a space, so the closing one will be preceded by one
    bool low_open[2] = {};
    int8_t guillemet = 0;  // +1 after «, -1 after » that opened
  };

  // Default for the boundary before `right`, which is not the first token. `ends`: nothing follows it, or something
  // that closes, so that a straight quote here closes however many there were before.
  bool default_joined(const State& state, SpacingShape right, bool ends) const;
  // Moves past `right`, given how the boundary before it really is.
  void advance(State& state, SpacingShape right, bool joined, bool ends) const;

 private:
  enum class Role : uint8_t { none, opens, closes };
  Role quote_role(const State& state, SpacingShape quote, bool ends) const;
  SpacingShape shape_of_other(std::string_view text) const;
  SpacingShape punctuation_or_apart(char32_t c, std::string_view first) const;

  const Language* language_;
  SpacingShape ascii_[128];
};

// Follows a line from token to token: what is expected before each, then how it really is.
class SpacingWalk {
 public:
  explicit SpacingWalk(const Spacing& rules) : rules_(rules) {}

  // Comes to the next token; `following` is the shape of the one after it, if there is one. Returns whether it is
  // expected to be written together with the one before, which the first one has not.
  bool reach(SpacingShape shape, const SpacingShape* following) {
    here_ = shape;
    ends_ = !following || following->kind == SpacingClass::close;
    return !state_.first && rules_.default_joined(state_, shape, ends_);
  }
  // Of the token that was reached.
  void settle(bool joined) { rules_.advance(state_, here_, joined, ends_); }
  // Whether a mark between the token that was reached and the one before stands at the former.
  bool mark_stands_right() const { return mark_weight(here_.kind) >= mark_weight(state_.previous.kind); }

 private:
  const Spacing& rules_;
  Spacing::State state_;
  SpacingShape here_{SpacingClass::word, 0};
  bool ends_ = false;
};

}  // namespace dragoman::text
