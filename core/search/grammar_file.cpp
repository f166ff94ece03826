#include "search/grammar_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/errors.h"
#include "base/hash_set.h"
#include "base/in_quotes.h"
#include "base/number.h"
#include "base/utf8.h"
#include "rules/grammar_text.h"
#include "text/lines.h"
#include "text/pharaoh.h"

namespace dragoman::search {
namespace {

constexpr std::string_view separator = "|||";

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t at = 0;;) {
    const size_t end = line.find(separator, at);
    fields.push_back(line.substr(at, end == std::string_view::npos ? end : end - at));
    if (end == std::string_view::npos) return fields;
    at = end + separator.size();
  }
}

// The number of a gap such as [X,2] or [2], or 0 for a word. Other nonterminals are refused.
uint32_t gap_number(std::string_view word, uint64_t line) {
  if (word.size() < 3 || word.front() != '[' || word.back() != ']') return 0;
  std::string_view inside = word.substr(1, word.size() - 2);
  std::string_view name = "X";
  if (const size_t comma = inside.rfind(','); comma != std::string_view::npos) {
    name = inside.substr(0, comma);
    inside = inside.substr(comma + 1);
  }
  uint32_t number = 0;
  if (!parse_whole(inside, number)) return 0;
  if (name != "X")
    throw InputError(line, "the only nonterminal is X, not " + in_quotes(name) + "; glue rules are built in");
  if (number < 1 || number > max_gaps)
    throw InputError(line, "a rule has at most two gaps, [X,1] and [X,2], not " + in_quotes(word));
  return number;
}

// What a phrase table gives probability 0 counts as this.
constexpr double least_probability = 1e-40;

// A rule's line in its parts: one of a grammar, or one of a phrase table.
struct RuleLine {
  std::string_view source, target, features, links;
  bool is_phrase;
};

RuleLine parts_of(std::string_view line, uint64_t number) {
  const auto fields = fields_of(line);
  const auto left = words_of(fields[0]);
  const bool is_phrase = left.size() != 1 || left[0].front() != '[' || left[0].back() != ']';
  auto field = [&](size_t place) { return place < fields.size() ? fields[place] : std::string_view(); };
  if (is_phrase) {
    if (fields.size() < 3)
      throw InputError(number,
                       "a rule line is `[X] ||| source ||| target ||| features ||| links`, and one of a phrase"
                       " table `source ||| target ||| scores ||| links`");
    return {field(0), field(1), field(2), field(3), true};
  }
  if (fields.size() < 4 || fields.size() > 5)
    throw InputError(number, "a rule line is `[X] ||| source ||| target ||| features ||| links`");
  if (left[0] != "[X]")
    throw InputError(number, "a rule's left side is [X], not " + in_quotes(fields[0]) + "; glue rules are built in");
  return {field(1), field(2), field(3), field(4), false};
}

// Words have ids in the order in which the file has them.
Symbol numbered_symbol(WordNumbering& words, std::string_view word) {
  return word_symbol(words.number(read_rule_word(word)) + Vocabulary::first_word);
}

// What was numbered, by number.
template <class Word>
std::vector<Word> in_order(const WordNumbering& words) {
  std::vector<Word> ordered;
  for (uint32_t number = 0; number < words.size(); ++number) ordered.emplace_back(words.word(number));
  return ordered;
}

}  // namespace

GrammarFile::GrammarFile(std::string_view text)
    : source_words_(Vocabulary::from_words({})), target_words_(Vocabulary::from_words({})), nodes_(1) {
  require_text(text);
  uint64_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    if (!words_of(line).empty()) read_rule(line, number);
  }
  source_words_ = Vocabulary::from_words(in_order<std::string_view>(source_numbers_));
  target_words_ = Vocabulary::from_words(in_order<std::string_view>(target_numbers_));
  feature_names_ = in_order<std::string>(feature_numbers_);
  source_numbers_ = target_numbers_ = feature_numbers_ = {};
}

void GrammarFile::read_rule(std::string_view line, uint64_t number) {
  const RuleLine parts = parts_of(line, number);
  GapOrder gaps;
  const std::vector<Symbol> source = read_source(parts.source, number, gaps);
  if (gaps.count > 0 && parts.is_phrase) throw InputError(number, "a phrase of a phrase table has no gaps");
  const std::vector<Symbol> target = read_target(parts.target, number, gaps);
  if (source.size() > UINT16_MAX || target.size() > UINT16_MAX) throw InputError(number, "the rule is too long");
  const std::vector<FeatureValue> features = read_features(parts.features, number, parts.is_phrase);
  Links links;
  if (!parts.links.empty()) parse_pharaoh(parts.links, number, links, source.size(), target.size());
  std::erase_if(links, [&](Link link) { return is_gap(source[link.source]) || is_gap(target[link.target]); });

  uint32_t node = 0;
  for (Symbol symbol : source) node = step(node, symbol);
  nodes_[node].rules.push_back(static_cast<uint32_t>(rules()));
  rules_.begin_side(source);
  rules_.add(target, links, features, rules());
}

std::vector<Symbol> GrammarFile::read_source(std::string_view field, uint64_t number, GapOrder& gaps) {
  std::vector<Symbol> source;
  for (std::string_view word : words_of(field)) {
    const uint32_t gap = gap_number(word, number);
    if (gap == 0) {
      source.push_back(numbered_symbol(source_numbers_, word));
      continue;
    }
    if (gaps.place[gap]) throw InputError(number, "the source side has " + in_quotes(word) + " twice");
    source.push_back(gap_symbol(gaps.count));
    gaps.place[gap] = ++gaps.count;
  }
  if (source.empty()) throw InputError(number, "the source side is empty");
  if (gaps.count == source.size() && gaps.count == 1) throw InputError(number, "a rule needs a word beside its gap");
  return source;
}

std::vector<Symbol> GrammarFile::read_target(std::string_view field, uint64_t number, const GapOrder& gaps) {
  std::vector<Symbol> target;
  uint32_t used[max_gaps + 1] = {};
  for (std::string_view word : words_of(field)) {
    const uint32_t gap = gap_number(word, number);
    if (gap == 0) {
      target.push_back(numbered_symbol(target_numbers_, word));
      continue;
    }
    if (!gaps.place[gap] || used[gap]++)
      throw InputError(number, "each gap of the source side stands once on the target side; see " + in_quotes(word));
    target.push_back(gap_symbol(gaps.place[gap] - 1));
  }
  if (used[1] + used[2] != gaps.count)
    throw InputError(number, "a gap of the source side is missing on the target side");
  return target;
}

std::vector<FeatureValue> GrammarFile::read_features(std::string_view field, uint64_t number, bool probabilities) {
  std::vector<FeatureValue> features;
  uint32_t unnamed = 0;
  std::set<uint32_t> seen;
  for (std::string_view word : words_of(field)) {
    const size_t equals = word.rfind('=');
    std::string name = equals == std::string_view::npos ? "PhraseModel_" + std::to_string(unnamed++)
                                                        : std::string(word.substr(0, equals));
    const std::string_view digits = equals == std::string_view::npos ? word : word.substr(equals + 1);
    double value = 0;
    if (name.empty() || !parse_number(digits, value) || !(std::abs(value) <= double{std::numeric_limits<float>::max()}))
      throw InputError(number, "a feature is Name=number, not " + in_quotes(word));
    if (probabilities && equals == std::string_view::npos) {
      if (value < 0) throw InputError(number, "a score of a phrase table is a probability, not " + in_quotes(word));
      value = std::log10(std::max(value, least_probability));
    }
    const uint32_t id = feature_numbers_.number(name);
    if (!seen.insert(id).second) throw InputError(number, "the rule has the feature " + in_quotes(name) + " twice");
    features.push_back({id, static_cast<float>(value)});
  }
  return features;
}

uint32_t GrammarFile::child(uint32_t node, Symbol symbol) const {
  if (is_gap(symbol)) return nodes_[node].gap_child;
  const uint32_t next = children_.find(uint64_t{node} << 32 | static_cast<uint32_t>(symbol));
  return next == FlatMap::absent ? 0 : next;
}

uint32_t GrammarFile::step(uint32_t node, Symbol symbol) {
  uint32_t next = child(node, symbol);
  if (next == 0) {
    next = static_cast<uint32_t>(nodes_.size());
    nodes_.emplace_back();
    if (is_gap(symbol))
      nodes_[node].gap_child = next;
    else
      children_[uint64_t{node} << 32 | static_cast<uint32_t>(symbol)] = next;
  }
  return next;
}

bool GrammarFile::has_phrase(std::span<const WordId> words) const {
  uint32_t node = 0;
  for (const WordId word : words)
    if ((node = child(node, word_symbol(word))) == 0) return false;
  return !nodes_[node].rules.empty();
}

void GrammarFile::add_features(FeatureSet& features) const {
  for (const std::string& name : feature_names_) features.add(name);
}

std::unique_ptr<CollectedRules> GrammarFile::collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                                     RuleSink& sink) const {
  std::vector<FeatureId> ids;
  for (const std::string& name : feature_names_) ids.push_back(sink.features().find(name));
  HashSet added;
  RuleBatch side;
  std::vector<FeatureValue> values;
  auto add = [&](uint32_t node) {
    if (nodes_[node].rules.empty() || !added.insert(uint64_t{node} + 1)) return;
    side.clear();
    side.begin_side(rules_.rules()[nodes_[node].rules[0]].source);
    for (uint32_t index : nodes_[node].rules) {
      const Rule& rule = rules_.rules()[index];
      values.assign(rule.features.begin(), rule.features.end());
      for (FeatureValue& feature : values) feature.id = ids[feature.id];
      side.add(rule.target, rule.links, values, rule.reference);
    }
    sink.take(side.rules());
  };

  const uint32_t size = static_cast<uint32_t>(sentence.size());
  std::set<std::pair<uint32_t, uint32_t>> seen;  // node and end, for one begin
  auto walk = [&](auto&& self, uint32_t node, uint32_t begin, uint32_t at, uint32_t used_gaps) -> void {
    if (!seen.emplace(node, at).second) return;
    add(node);
    const uint32_t limit = used_gaps ? std::min(size, begin + max_span) : size;
    if (at < limit) {
      const uint32_t next = child(node, word_symbol(sentence.words[at]));
      if (next) self(self, next, begin, at + 1, used_gaps);
    }
    if (!gaps || used_gaps == max_gaps || nodes_[node].gap_child == 0) return;
    for (uint32_t end = at + 1; end <= std::min(size, begin + max_span); ++end)
      self(self, nodes_[node].gap_child, begin, end, used_gaps + 1);
  };
  for (uint32_t begin = 0; begin < size; ++begin) {
    check(sink.interrupt());
    seen.clear();
    walk(walk, 0, begin, begin, 0);
  }
  return nullptr;
}

}  // namespace dragoman::search
