#include "translate/literals.h"

#include "base/utf8.h"
#include "text/single_quotes.h"
#include "text/unicode.h"

namespace dragoman::translate {
namespace {

class LiteralFinder {
 public:
  LiteralFinder(std::string_view line, std::span<const Token> tokens) : line_(line), tokens_(tokens) {}

  // -5 and −12, where nothing stands directly before the sign, and no number that it could lead on from.
  bool is_signed_number(size_t at) const {
    const std::string_view sign = text(at);
    return (sign == "-" || sign == "−" || sign == "–") && joins(at + 1) && begins_with_digit(at + 1) && is_free(at) &&
           (at == 0 || !begins_with_digit(at - 1));
  }
  // -v and -9, with nothing but a space or a sign behind it; -I after a word or in a column of its own, because it may
  // be a dash that opens speech, and a word of one letter.
  bool is_option(size_t at) const {
    return text(at) == "-" && (!is_capital(at + 1) || follows_word(at) || stands_apart(at + 1)) && joins(at + 1) &&
           is_letter_or_digit(at + 1) && is_free(at) &&
           (!joins(at + 2) || std::string_view(",.=|/]):;!?'\"").find(text(at + 2).front()) != std::string_view::npos);
  }
  // (- for stdout) and '-': a hyphen that begins or fills what is enclosed is the name of a file, or a sign by itself.
  bool is_lone_hyphen(size_t at) const {
    if (text(at) != "-" || !tokens_[at].joined || at == 0 || at + 1 >= tokens_.size()) return false;
    if (std::string_view("([{'\"`").find(text(at - 1).back()) == std::string_view::npos) return false;
    return !joins(at + 1) || std::string_view(")]}'\"").find(text(at + 1).front()) != std::string_view::npos;
  }
  // km/h, m/s after a number.
  bool is_rate(size_t at) const {
    auto is_unit = [&](size_t i) {
      return i < tokens_.size() && !tokens_[i].is_protected && text(i).size() <= 3 && is_letter(category(first(i)));
    };
    return at > 0 && begins_with_digit(at - 1) && is_unit(at) && joins(at + 1) && text(at + 1) == "/" &&
           joins(at + 2) && is_unit(at + 2);
  }
  // a) or (a), which does not close what was opened elsewhere.
  bool is_list_letter(size_t at) const {
    if (!is_letter_or_digit(at) || !joins(at + 1) || text(at + 1) != ")" || joins(at + 2)) return false;
    if (tokens_[at].joined) return at > 0 && text(at - 1) == "(" && !tokens_[at - 1].joined;
    int open = 0;
    for (size_t i = 0; i < at; ++i) open += text(i) == "(" ? 1 : text(i) == ")" ? -1 : 0;
    return open <= 0;
  }
  // Before a word or number, not after a letter: no possessive and no quotation.
  bool is_omission(size_t at) const {
    if (text(at) != "'" && text(at) != "’") return false;
    if (!joins(at + 1) || tokens_[at + 1].is_protected) return false;
    if (tokens_[at].joined) return begins_with_digit(at - 1) && begins_with_digit(at + 1);
    return begins_with_digit(at + 1);
  }

 private:
  std::string_view text(size_t at) const {
    return line_.substr(tokens_[at].begin, tokens_[at].end - tokens_[at].begin);
  }
  bool joins(size_t at) const { return at < tokens_.size() && tokens_[at].joined; }
  bool is_free(size_t at) const {
    return !tokens_[at].joined ||
           (at > 0 && std::string_view("([{|,'\"").find(text(at - 1).back()) != std::string_view::npos);
  }
  bool begins_with_digit(size_t at) const { return !tokens_[at].is_protected && is_digit(first(at)); }
  bool is_capital(size_t at) const { return at < tokens_.size() && is_upper(first(at)); }
  bool follows_word(size_t at) const {
    return at > 0 && !tokens_[at].joined && (is_letter(category(first(at - 1))) || is_digit(first(at - 1)));
  }
  // Whether nothing comes after it, a comma, or a wide space.
  bool stands_apart(size_t at) const {
    if (at + 1 >= tokens_.size()) return true;
    const std::string_view between = line_.substr(tokens_[at].end, tokens_[at + 1].begin - tokens_[at].end);
    return text(at + 1) == "," || between.size() > 1 || between == "\t";
  }
  bool is_letter_or_digit(size_t at) const {
    const char c = text(at).front();
    return text(at).size() == 1 && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
  }
  char32_t first(size_t at) const { return decode_utf8(line_, tokens_[at].begin).value; }

  std::string_view line_;
  std::span<const Token> tokens_;
};

}  // namespace

Literal literal_at(std::string_view line, std::span<const Token> tokens, size_t at) {
  if (tokens[at].is_protected) return {};
  const LiteralFinder finder(line, tokens);
  if (finder.is_option(at) && !finder.is_signed_number(at)) return {LiteralKind::text, at + 1};
  if (finder.is_rate(at)) return {LiteralKind::text, at + 2};
  if (finder.is_signed_number(at)) return {LiteralKind::number, at + 1};
  if (finder.is_list_letter(at) || finder.is_omission(at) || finder.is_lone_hyphen(at)) return {LiteralKind::text, at};
  return {};
}

}  // namespace dragoman::translate
