#include "text/single_quotes.h"

#include <algorithm>
#include <iterator>

#include "base/utf8.h"
#include "text/unicode.h"

namespace dragoman::text {
namespace {

constexpr std::string_view single_marks[] = {"'", "`", "‘", "’", "‚", "‛"};

class SingleMarks {
 public:
  SingleMarks(std::string_view line, std::span<const Token> tokens) : line_(line), tokens_(tokens) {}

  bool is_mark(size_t at) const { return !tokens_[at].is_protected && is_single_mark(text(at)); }
  // Something stands behind it without a space, and nothing or another sign before it.
  bool opens(size_t at) const {
    return text(at) != "’" && at + 1 < tokens_.size() && tokens_[at + 1].joined &&
           (!tokens_[at].joined || is_sign(at - 1));
  }
  // The other way round.
  bool closes(size_t at) const {
    return text(at) != "‚" && tokens_[at].joined &&
           (at + 1 == tokens_.size() || !tokens_[at + 1].joined || is_sign(at + 1));
  }
  // The s before it may have it as its own: the dogs' house.
  bool may_be_apostrophe(size_t at) const { return text(at) != "`" && (line_[tokens_[at].begin - 1] | 32) == 's'; }

 private:
  std::string_view text(size_t at) const {
    return line_.substr(tokens_[at].begin, tokens_[at].end - tokens_[at].begin);
  }
  bool is_sign(size_t at) const {
    if (tokens_[at].is_protected) return false;
    const char32_t c = decode_utf8(line_, tokens_[at].begin).value;
    return !is_letter(category(c)) && !is_digit(c);
  }

  std::string_view line_;
  std::span<const Token> tokens_;
};

}  // namespace

bool is_single_mark(std::string_view word) { return std::ranges::find(single_marks, word) != std::end(single_marks); }

std::vector<Span> find_single_quotes(std::string_view line, std::span<const Token> tokens) {
  const SingleMarks signs_of(line, tokens);
  std::vector<uint32_t> signs;
  for (uint32_t at = 0; at < tokens.size(); ++at)
    if (signs_of.is_mark(at)) signs.push_back(at);
  std::vector<Span> pairs;
  for (size_t i = 0; i + 1 < signs.size(); ++i) {
    if (!signs_of.opens(signs[i])) continue;
    // The first that closes; a later one where the first may be an apostrophe, and nothing opens between them.
    size_t closing = 0;
    for (size_t j = i + 1; j < signs.size() && (j == i + 1 || !signs_of.opens(signs[j])); ++j) {
      if (!signs_of.closes(signs[j])) continue;
      closing = j;
      if (!signs_of.may_be_apostrophe(signs[j])) break;
    }
    if (closing == 0 || signs[closing] == signs[i] + 1) continue;
    pairs.push_back({signs[i], signs[closing] + 1});
    i = closing;
  }
  return pairs;
}

}  // namespace dragoman::text
