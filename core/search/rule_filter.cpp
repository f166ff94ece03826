#include "search/rule_filter.h"

#include <algorithm>

#include "text/quotes.h"
#include "text/unicode.h"

namespace dragoman::search {
namespace {

// Ten digits have five bits each, quotation marks what is left.
constexpr uint32_t count_bits = 5;
constexpr Signature quote_count = Signature{1} << 10 * count_bits;
constexpr Signature digit_counts = quote_count - 1;

// A longer number is never written as a word.
constexpr uint32_t most_spoken_digits = 2;

uint32_t digits_in(Signature signature) {
  uint32_t digits = 0;
  for (Signature rest = signature & digit_counts; rest; rest >>= count_bits)
    digits += static_cast<uint32_t>(rest & ((1u << count_bits) - 1));
  return digits;
}

// Digits stand in rows of ten from nought to nine.
uint32_t digit_value(char32_t c) {
  uint32_t value = 0;
  while (value < 9 && category(c - value - 1) == Category::digit) ++value;
  return value;
}

bool may_be_special(std::string_view word) {
  return std::ranges::any_of(
      word, [](char c) { return (c >= '0' && c <= '9') || c == '"' || static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

Signature signature_of(std::string_view word) {
  Signature signature = is_quotation_mark(word) ? quote_count : 0;
  for (size_t at = 0; at < word.size();) {
    const CodePoint c = decode_utf8(word, at);
    if (c.value >= '0' && category(c.value) == Category::digit)
      signature += Signature{1} << digit_value(c.value) * count_bits;
    at += c.bytes;
  }
  return signature;
}

RuleFilter::Side::Side(const Vocabulary& words) : special_(words.own_size()) {
  for (WordId id = Vocabulary::first_word; id < words.own_size(); ++id) {
    const std::string_view word = words.word(id);
    const Signature signature = may_be_special(word) ? signature_of(word) : 0;
    if (!signature) continue;
    special_[id] = true;
    signatures_.emplace(id, signature);
  }
}

Signature RuleFilter::Side::of(WordId id, const WordTable& words) const {
  if (id >= special_.size()) return signature_of(words.word(id));
  return special_[id] ? signatures_.at(id) : 0;
}

RuleFilter::RuleFilter(const Vocabulary& source, const Vocabulary& target) : source_(source), target_(target) {}

bool RuleFilter::Bound::allows(const Rule& rule) const {
  Signature source = 0, target = 0;
  for (const Symbol symbol : rule.source)
    if (!is_gap(symbol)) source += filter_.source_.of(word_of(symbol), source_);
  for (const Symbol symbol : rule.target)
    if (!is_gap(symbol)) target += filter_.target_.of(word_of(symbol), target_);
  if (source == target) return true;
  if (source / quote_count != target / quote_count) return false;
  const bool spoken = !(target & digit_counts);
  if (!spoken && source & digit_counts) return false;
  // One side has no digits: each number of the other must be linked to something.
  const std::span<const Symbol> numbers = spoken ? rule.source : rule.target;
  for (uint32_t at = 0; at < numbers.size(); ++at) {
    if (is_gap(numbers[at])) continue;
    const WordId word = word_of(numbers[at]);
    const uint32_t digits = digits_in(spoken ? filter_.source_.of(word, source_) : filter_.target_.of(word, target_));
    if (digits == 0) continue;
    if (spoken && digits > most_spoken_digits) return false;
    if (std::ranges::none_of(rule.links, [&](const Link& link) { return (spoken ? link.source : link.target) == at; }))
      return false;
  }
  return true;
}

}  // namespace dragoman::search
