#include "translate/layout.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/language.h"
#include "text/unicode.h"
#include "translate/literals.h"

namespace dragoman::translate {
namespace {

// Fewer are a slip, or how some people separate sentences.
constexpr size_t column_blanks = 3;
// So many of the most frequent words are taken for those that sentences begin with.
constexpr WordId frequent_words = 300;
constexpr std::string_view bullets[] = {"-", "–", "—", "*", "•", "·", "►", "▪", "‣", "◦", "+"};
constexpr std::string_view points_are_ordinals = "de cs sk pl hu da no nb nn fi et lv hr sl sr bs tr is lb";
// What may begin a column and is no text.
constexpr std::string_view separators[] = {":", "=", "|", "-", "–"};

// One look, as most sentences have none.
bool may_have_layout(std::string_view sentence) {
  if (sentence.find("   ") != std::string_view::npos || sentence.find('\t') != std::string_view::npos) return true;
  if (sentence.substr(0, 6).find_first_of(").") != std::string_view::npos) return true;
  const char32_t first = sentence.empty() ? 'a' : decode_utf8(sentence, 0).value;
  if (!is_letter(category(first)) && !is_digit(first)) return true;
  for (size_t at = sentence.find_first_of(".!?\xa6"); at < sentence.size();
       at = sentence.find_first_of(".!?\xa6", at + 1))
    if (at + 1 < sentence.size() && begins_character(sentence[at + 1]) &&
        is_letter(decode_utf8(sentence, at + 1).value))
      return true;
  return false;
}

class LayoutLine {
 public:
  LayoutLine(const TextTools& tools, const RuleSource& known, std::string_view text, std::span<const TextSpan> fixed)
      : tools_(tools), known_(known), text_(text), fixed_(fixed) {}

  void add(TextSpan sentence, std::vector<TextSpan>& parts) {
    begin_ = sentence.begin;
    if (!may_have_layout(text_.substr(begin_, sentence.size()))) {
      parts.push_back(sentence);
      return;
    }
    tools_.source.tokenize(text_.substr(begin_, sentence.size()), tokens_);
    words_ = token_strings(tools_.source, text_.substr(begin_, sentence.size()), tokens_, tools_.word_form());
    if (tokens_.empty()) return;
    const std::vector<size_t> cuts = find_cuts();
    const size_t marker = parts.empty() ? marker_end() : 0;
    if ((cuts.empty() && marker == 0) || is_known(0, tokens_.size())) {
      parts.push_back(sentence);
      return;
    }
    size_t first = marker;
    auto add_part = [&](size_t end) {
      // A column may be nothing but a sign.
      if (first > marker && first + 1 < end && is_one_of(separators, first) && !tokens_[first + 1].joined) ++first;
      if (first < end && (cuts.empty() || has_text(first, end)))
        parts.push_back({begin_ + tokens_[first].begin, begin_ + tokens_[end - 1].end});
      first = end;
    };
    for (const size_t cut : cuts)
      if (cut > marker) add_part(cut);
    add_part(tokens_.size());
  }

 private:
  std::string_view written(size_t at) const {
    return text_.substr(begin_ + tokens_[at].begin, tokens_[at].end - tokens_[at].begin);
  }
  template <size_t N>
  bool is_one_of(const std::string_view (&signs)[N], size_t at) const {
    return std::ranges::find(signs, written(at)) != std::end(signs);
  }
  bool is_known(size_t first, size_t end) const {
    std::vector<WordId> words;
    for (size_t i = first; i < end; ++i) words.push_back(known_.source_words().find(words_[i]));
    return std::ranges::find(words, Vocabulary::unknown) == words.end() && known_.has_phrase(words);
  }
  // Whether there is anything to translate: options and placeholders are not, but what somebody said something about
  // is.
  bool has_text(size_t first, size_t end) const {
    const std::string_view line = text_.substr(begin_);
    for (size_t at = first; at < end; ++at) {
      const uint64_t place = begin_ + tokens_[at].begin;
      if (std::ranges::any_of(fixed_, [&](const TextSpan& span) { return span.begin <= place && place < span.end; }))
        return true;
      const Literal literal = literal_at(line, tokens_, at);
      if (literal.kind != LiteralKind::none) {
        at = literal.last;
        continue;
      }
      const CodePoint c = decode_utf8(written(at), 0);
      if (!tokens_[at].is_protected && (is_letter(category(c.value)) || is_digit(c.value))) return true;
    }
    return false;
  }
  bool is_fixed(uint64_t at) const {
    return std::ranges::any_of(fixed_, [&](const TextSpan& span) { return span.begin < at && at < span.end; });
  }

  // Tokens before which a column begins, or a sentence.
  std::vector<size_t> find_cuts() const {
    std::vector<size_t> cuts, columns;
    size_t gaps = 0;
    for (size_t at = 1; at < tokens_.size(); ++at) {
      const uint64_t from = tokens_[at - 1].end, to = tokens_[at].begin;
      if (is_fixed(begin_ + to)) continue;
      const std::string_view between = text_.substr(begin_ + from, to - from);
      if (between.find('\t') != std::string_view::npos) {
        cuts.push_back(at);
        continue;
      }
      gaps += from < to;
      if (std::ranges::count(between, ' ') >= static_cast<ptrdiff_t>(column_blanks))
        columns.push_back(at);
      else if (at > 1 && lacks_space(at))
        cuts.push_back(at);
    }
    // Text that was stretched to the width of a line has wide gaps everywhere.
    if (columns.size() < 2 || 2 * columns.size() <= gaps) cuts.insert(cuts.end(), columns.begin(), columns.end());
    std::ranges::sort(cuts);
    return cuts;
  }

  // Whether a word with a capital follows directly on the full stop of a sentence: both words are the model's. After a
  // point, which names of files and of programs' parts have too, it must be one of those that sentences begin with, and
  // a sentence.
  bool lacks_space(size_t at) const {
    const std::string_view stop = written(at - 1);
    if (!(stop == "." || stop == "!" || stop == "?" || stop == "…") || !tokens_[at].joined || !tokens_[at - 1].joined)
      return false;
    const std::string_view before = written(at - 2), after = written(at);
    if (tokens_[at].is_protected || tokens_[at - 2].is_protected || before.size() < 2) return false;
    if (stop == "." && (at + 2 >= tokens_.size() || known_.source_words().find(words_[at]) >= frequent_words ||
                        tokens_[at + 1].joined || tokens_[at + 2].joined))
      return false;
    return is_plain(before, false) && is_plain(after, true) && is_known(at - 2, at - 1) && is_known(at, at + 1);
  }

  // Whether a word is written small, but for a capital at its beginning.
  static bool is_plain(std::string_view word, bool capital) {
    for (size_t at = 0; at < word.size();) {
      const CodePoint c = decode_utf8(word, at);
      // An apostrophe ends it: l', isn't.
      if (at > 0 && !is_letter(category(c.value)) && !is_digit(c.value)) return true;
      if (at == 0 && capital ? !is_upper(c.value) : !is_lower(c.value)) return false;
      at += c.bytes;
    }
    return true;
  }

  // How many tokens at the beginning number an item of a list, or stand before it.
  size_t marker_end() const {
    if (tokens_.size() < 2) return 0;
    const bool free = !tokens_[1].joined;
    if (is_one_of(bullets, 0)) return free ? 1 : 0;
    if (const size_t number = ordered_item_end(); number > 0) return number;
    // a) 12) (a) (iv)
    size_t at = written(0) == "(" ? 1 : 0;
    if (at == 1 && !tokens_[1].joined) return 0;
    const bool short_number = at < tokens_.size() && is_item_number(written(at));
    if (!short_number || at + 1 >= tokens_.size() || !tokens_[at + 1].joined || written(at + 1) != ")") return 0;
    at += 2;
    return at < tokens_.size() && !tokens_[at].joined ? at : 0;
  }
  // 1. at the beginning, which may be a date or an ordinal in languages that write these so.
  size_t ordered_item_end() const {
    const std::string_view first = written(0);
    const bool with_point = first.ends_with('.');
    const std::string_view number = with_point ? first.substr(0, first.size() - 1) : first;
    if (number.empty() || number.size() > 2 || number.find_first_not_of("0123456789") != std::string_view::npos)
      return 0;
    size_t at = 1;
    if (!with_point) {
      if (written(1) != "." || !tokens_[1].joined) return 0;
      ++at;
    }
    if (at >= tokens_.size() || tokens_[at].joined) return 0;
    return is_listed(points_are_ordinals, base_language(tools_.source.language())) ? 0 : at;
  }
  static bool is_item_number(std::string_view word) {
    const bool digits = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    const bool roman = word.size() <= 4 && word.find_first_not_of("ivx") == std::string_view::npos;
    const bool letter = word.size() == 1 && (word[0] | 32) >= 'a' && (word[0] | 32) <= 'z';
    return (digits && word.size() <= 3) || roman || letter;
  }

  const TextTools& tools_;
  const RuleSource& known_;
  std::string_view text_;
  std::span<const TextSpan> fixed_;
  uint64_t begin_ = 0;
  std::vector<Token> tokens_;
  std::vector<std::string> words_;
};

}  // namespace

std::vector<TextSpan> without_layout(const TextTools& tools, const RuleSource& known, std::string_view text,
                                     std::span<const TextSpan> sentences, std::span<const TextSpan> fixed) {
  std::vector<TextSpan> parts;
  LayoutLine line(tools, known, text, fixed);
  for (const TextSpan& sentence : sentences) line.add(sentence, parts);
  return parts;
}

}  // namespace dragoman::translate
