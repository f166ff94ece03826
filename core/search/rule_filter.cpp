#include "search/rule_filter.h"

#include <algorithm>

#include "rules/node_rules.h"
#include "text/brackets.h"
#include "text/quotes.h"
#include "text/single_quotes.h"
#include "text/unicode.h"

namespace dragoman::search {
namespace {

// Ten digits have five bits each, quotation marks and brackets half of what is left.
constexpr uint32_t count_bits = 5;
constexpr Signature quote_count = Signature{1} << 10 * count_bits;
constexpr Signature bracket_count = Signature{1} << (10 * count_bits + 7);
constexpr Signature digit_counts = quote_count - 1;

// A longer number is never written as a word.
constexpr uint32_t most_spoken_digits = 2;

// Of what was seen twice together, and of what is one translation in four, with its sign turned.
constexpr float log10_of_three = 0.4772f, log10_of_four = 0.6021f;

uint32_t digits_in(Signature signature) {
  uint32_t digits = 0;
  for (Signature rest = signature & digit_counts; rest; rest >>= count_bits)
    digits += static_cast<uint32_t>(rest & ((1u << count_bits) - 1));
  return digits;
}

bool has_letter(std::string_view word) {
  for (size_t at = 0; at < word.size();) {
    const CodePoint c = decode_utf8(word, at);
    if (is_letter(category(c.value))) return true;
    at += c.bytes;
  }
  return false;
}

// Digits stand in rows of ten from nought to nine.
uint32_t digit_value(char32_t c) {
  uint32_t value = 0;
  while (value < 9 && category(c - value - 1) == Category::digit) ++value;
  return value;
}

// Whether each word of a vocabulary has a signature.
std::vector<bool> special_words(const Vocabulary& words) {
  std::vector<bool> special(words.own_size());
  for (WordId id = Vocabulary::first_word; id < words.own_size(); ++id) {
    const std::string_view word = words.word(id);
    // Most words begin with a letter, which settles it.
    const unsigned char first = static_cast<unsigned char>(word.empty() ? 'a' : word.front());
    special[id] = (first < 'A' || first >= 0x80 || first == '`') && (signature_of(word) != 0 || is_single_mark(word));
  }
  return special;
}

}  // namespace

Signature signature_of(std::string_view word) {
  if (is_quotation_mark(word)) return quote_count;
  if (is_bracket(word)) return bracket_count;
  // Digits inside a name (A4, mp3) are its own.
  if (word.empty() || category(decode_utf8(word, 0).value) != Category::digit) return 0;
  Signature signature = 0;
  for (size_t at = 0; at < word.size();) {
    const CodePoint c = decode_utf8(word, at);
    if (c.value >= '0' && category(c.value) == Category::digit)
      signature += Signature{1} << digit_value(c.value) * count_bits;
    at += c.bytes;
  }
  return signature;
}

RuleFilter::RuleFilter(const Vocabulary& source, const Vocabulary& target)
    : source_(special_words(source)), target_(special_words(target)) {}

RuleFilter::Bound::Bound(const RuleFilter& filter, const WordTable& source, const WordTable& target,
                         const FeatureSet& features, std::span<const WordId> sentence, bool single_quotes)
    : filter_(filter),
      source_(source),
      target_(target),
      memory_(features.find(sentence_memory)),
      count_(features.find(seen_together)),
      share_(features.find(extracted_feature_names[target_given_source_coherent])),
      single_quotes_(single_quotes) {
  for (size_t at = 2; at < sentence.size(); ++at)
    if (is_number(sentence[at - 2]) && is_number(sentence[at]) && signature_of(source_.word(sentence[at - 1])) == 0)
      between_.push_back(sentence[at - 1]);
  for (size_t at = 0; at < sentence.size(); ++at)
    if (is_number(sentence[at]) && !(at + 1 < sentence.size() && is_counted(sentence[at + 1])))
      in_digits_.push_back(sentence[at]);
}

bool RuleFilter::Bound::is_counted(WordId source) const {
  if (source >= filter_.source_.size()) return false;
  const std::string_view word = source_.word(source);
  const CodePoint first = decode_utf8(word, 0);
  return is_letter(category(first.value)) && first.bytes < word.size();
}

bool RuleFilter::Bound::stays_in_digits(std::span<const Symbol> source) const {
  return std::ranges::any_of(source, [&](Symbol symbol) {
    return !is_gap(symbol) && std::ranges::find(in_digits_, word_of(symbol)) != in_digits_.end();
  });
}

bool RuleFilter::Bound::is_number(WordId source) const {
  if (source < filter_.source_.size() && !filter_.source_[source]) return false;
  return signature_of(source_.word(source)) & digit_counts;
}

Signature RuleFilter::Bound::sum(std::span<const Symbol> side, const std::vector<bool>& special,
                                 const WordTable& words) const {
  Signature sum = 0;
  for (const Symbol symbol : side) {
    if (is_gap(symbol)) continue;
    const WordId id = word_of(symbol);
    if (id < special.size() && !special[id]) continue;
    const std::string_view word = words.word(id);
    sum += single_quotes_ && is_single_mark(word) ? quote_count : signature_of(word);
  }
  return sum;
}

bool RuleFilter::Bound::all_linked(const Rule& rule, bool of_source) const {
  const std::span<const Symbol> side = of_source ? rule.source : rule.target;
  for (uint32_t at = 0; at < side.size(); ++at) {
    const uint32_t digits = digits_in(of_source ? sum(side.subspan(at, 1), filter_.source_, source_)
                                                : sum(side.subspan(at, 1), filter_.target_, target_));
    if (digits == 0) continue;
    if (of_source && digits > most_spoken_digits) return false;
    auto says_it = [&](const Link& link) {
      if (!of_source) return link.target == at;
      return link.source == at && !is_gap(rule.target[link.target]) &&
             target_.word(word_of(rule.target[link.target])).size() > 1;
    };
    if (std::ranges::none_of(rule.links, says_it)) return false;
  }
  return true;
}

bool RuleFilter::Bound::goes_on_nothing(std::span<const Symbol> target) const {
  bool in_number = false;
  for (const Symbol symbol : target) {
    const std::string_view word = is_gap(symbol) ? std::string_view() : target_.word(word_of(symbol));
    const bool is_number = !word.empty() && word[0] >= '0' && word[0] <= '9';
    if (is_number && !in_number && word[0] == '0' && word.size() > 1 && word[1] >= '0' && word[1] <= '9') return true;
    in_number = is_number;
  }
  return false;
}

bool RuleFilter::Bound::leaves_out(const Rule& rule) const {
  auto may_be_number = [&](Symbol symbol) { return is_gap(symbol) || is_number(word_of(symbol)); };
  for (uint32_t at = 0; at < rule.source.size(); ++at) {
    if (is_gap(rule.source[at]) || std::ranges::find(between_, word_of(rule.source[at])) == between_.end()) continue;
    const bool after = at == 0 || may_be_number(rule.source[at - 1]);
    const bool before = at + 1 == rule.source.size() || may_be_number(rule.source[at + 1]);
    if (after && before && std::ranges::find(rule.links, at, &Link::source) == rule.links.end()) return true;
  }
  return false;
}

bool RuleFilter::Bound::is_rare(const Rule& rule) const {
  const auto count = std::ranges::find(rule.features, count_, &FeatureValue::id);
  return count != rule.features.end() && count->value <= log10_of_three;
}

bool RuleFilter::Bound::adds_unit(const Rule& rule) const {
  if (rule.source.size() != rule.gaps + 1u) return false;
  const auto word = std::ranges::find_if_not(rule.source, is_gap);
  if (word == rule.source.end() || !is_number(word_of(*word)) || has_letter(source_.word(word_of(*word)))) return false;
  return std::ranges::any_of(rule.target, [&](Symbol symbol) {
    if (is_gap(symbol)) return false;
    const std::string_view written = target_.word(word_of(symbol));
    return (signature_of(written) & digit_counts) && has_letter(written);
  });
}

bool RuleFilter::Bound::guesses_sign(const Rule& rule) const {
  if (rule.source.size() != rule.gaps + 1u) return false;
  const auto word = std::ranges::find_if_not(rule.source, is_gap);
  if (word == rule.source.end()) return false;
  const std::string_view sign = source_.word(word_of(*word));
  const unsigned char first = static_cast<unsigned char>(sign.empty() ? 'a' : sign.front());
  if ((first >= '0' && first <= '9') || (first | 32) - 'a' < 26u) return false;
  for (size_t at = 0; at < sign.size();) {
    const CodePoint c = decode_utf8(sign, at);
    if (is_letter(category(c.value)) || is_digit(c.value) || is_mark(c.value)) return false;
    at += c.bytes;
  }
  const auto share = std::ranges::find(rule.features, share_, &FeatureValue::id);
  if (!is_rare(rule) && (share == rule.features.end() || share->value < log10_of_four)) return false;
  auto is_word = [&](Symbol symbol) {
    return !is_gap(symbol) && is_letter(category(decode_utf8(target_.word(word_of(symbol)), 0).value));
  };
  // A mark that quotes brings no word with it either.
  if (is_quotation_mark(sign) || is_single_mark(sign)) return std::ranges::any_of(rule.target, is_word);
  return std::ranges::all_of(rule.target, [&](Symbol symbol) { return is_gap(symbol) || is_word(symbol); });
}

bool RuleFilter::Bound::allows(const Rule& rule, Signature source) const {
  const Signature target = sum(rule.target, filter_.target_, target_);
  if (source == target && between_.empty() && rule.source.size() != rule.gaps + 1u) return true;
  if (std::ranges::find(rule.features, memory_, &FeatureValue::id) != rule.features.end()) return true;
  if (guesses_sign(rule) || adds_unit(rule) || (!between_.empty() && leaves_out(rule))) return false;
  if (source == target) return true;
  if (source / quote_count != target / quote_count) return false;
  // Only a side without digits may say numbers in words.
  if (!(target & digit_counts)) return !is_rare(rule) && !stays_in_digits(rule.source) && all_linked(rule, true);
  return !(source & digit_counts) && !is_rare(rule) && all_linked(rule, false) && !goes_on_nothing(rule.target);
}

}  // namespace dragoman::search
