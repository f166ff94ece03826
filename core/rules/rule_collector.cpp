#include "rules/rule_collector.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace dragoman::rules {
namespace {

// What a word costs that no word of the other side explains.
constexpr float unexplained = 99;

bool smaller(std::span<const Link> a, std::span<const Link> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

// Ties between rules go by this order of their target sides, which grammar files show.
bool before(std::span<const Symbol> a, std::span<const Symbol> b) {
  return std::ranges::lexicographical_compare(a, b, {}, symbol_code, symbol_code);
}

}  // namespace

void RuleCollector::start() {
  entries_.clear();
  orientations_.clear();
  alignments_.clear();
  symbols_.clear();
  links_.clear();
  yields_.clear();
  numbers_.clear();
  std::fill(std::begin(mass_), std::end(mass_), 0);
  std::fill(std::begin(last_match_), std::end(last_match_), none);
}

uint32_t RuleCollector::find_entry(Variant variant, std::span<const Symbol> symbols) {
  uint64_t hash = variant + 1;
  for (Symbol symbol : symbols) hash = (hash ^ symbol_code(symbol)) * 0x9e3779b97f4a7c15ull ^ hash >> 32;
  const auto [number, is_new] = numbers_.add(mix(hash), [&](uint32_t known) {
    return entries_[known].variant == variant && std::ranges::equal(target(entries_[known]), symbols);
  });
  if (is_new) {
    const auto begin = static_cast<uint32_t>(symbols_.size());
    symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
    entries_.push_back({begin, static_cast<uint32_t>(symbols_.size()), 0, 0, none, none, none, variant});
    if (oriented_) orientations_.resize(orientations_.size() + orientation_count);
  }
  return number;
}

uint32_t RuleCollector::find_alignment(Entry& entry, std::span<const Link> links_here) {
  for (uint32_t i = entry.alignments; i != none; i = alignments_[i].next)
    if (std::ranges::equal(links(alignments_[i]), links_here)) return i;
  const auto begin = static_cast<uint32_t>(links_.size());
  links_.insert(links_.end(), links_here.begin(), links_here.end());
  alignments_.push_back({begin, static_cast<uint32_t>(links_.size()), 0, entry.alignments});
  return entry.alignments = static_cast<uint32_t>(alignments_.size()) - 1;
}

void RuleCollector::add(const Yield& yield, uint32_t weight) {
  const auto [match, variant, symbols, links_here, orientation] = yield;
  const uint32_t id = find_entry(variant, symbols);
  Entry& entry = entries_[id];
  const uint32_t alignment = find_alignment(entry, links_here);
  if (entry.last_match == match) {
    if (smaller(links_here, links(alignments_[entry.last_alignment]))) {
      alignments_[entry.last_alignment].count -= weight;
      alignments_[alignment].count += weight;
      entry.last_alignment = alignment;
    }
    return;
  }
  entry.last_match = match;
  entry.last_alignment = alignment;
  alignments_[alignment].count += weight;
  entry.count += weight;
  ++entry.matches;
  if (oriented_) {
    uint32_t* seen = orientations_.data() + size_t{id} * orientation_count;
    seen[orientation.before] += weight;
    seen[orientation_count / 2 + orientation.after] += weight;
  }
  yields_.push_back(uint64_t{id} << 32 | match);
  if (last_match_[variant] != match) {
    last_match_[variant] = match;
    mass_[variant] += weight;
  }
}

// Of an entry's links those of most matches, the smallest of several.
uint32_t RuleCollector::most_frequent(const Entry& entry) const {
  uint32_t best = entry.alignments;
  for (uint32_t i = best; i != none; i = alignments_[i].next)
    if (alignments_[i].count > alignments_[best].count ||
        (alignments_[i].count == alignments_[best].count && smaller(links(alignments_[i]), links(alignments_[best]))))
      best = i;
  return best;
}

void RuleCollector::finish(uint32_t samples, std::span<const WordId> words, LexicalScores& scores, NodeRules& out) {
  out.set_counts(samples, mass_);
  order_.resize(entries_.size());
  for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
  // Matches came in rising order, so each entry's stay so.
  matches_end_.resize(entries_.size());
  uint32_t before_it = 0;
  for (size_t i = 0; i < entries_.size(); ++i) {
    matches_end_[i] = before_it;
    before_it += entries_[i].matches;
  }
  matches_.resize(yields_.size());
  for (uint64_t yield : yields_) matches_[matches_end_[yield >> 32]++] = static_cast<uint32_t>(yield);
  std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
    const Entry &first = entries_[a], &second = entries_[b];
    if (first.variant != second.variant) return first.variant < second.variant;
    if (first.count != second.count) return first.count > second.count;
    return before(target(first), target(second));
  });
  best_without_.resize(words.size());
  for (size_t i = 0; i < words.size(); ++i)
    best_without_[i] = scores.get(words[i], Lexicon::null_word).source_given_target;
  for (uint32_t id : order_) {
    const Entry& entry = entries_[id];
    const PairScore lexical = score(words, target(entry), scores);
    const std::span seen(orientations_);
    out.add(entry.variant, target(entry), links(alignments_[most_frequent(entry)]),
            {entry.count, std::span(matches_).subspan(matches_end_[id] - entry.matches, entry.matches),
             oriented_ ? seen.subspan(size_t{id} * orientation_count, orientation_count) : seen},
            lexical.source_given_target, lexical.target_given_source);
  }
}

PairScore RuleCollector::score(std::span<const WordId> words, std::span<const Symbol> target, LexicalScores& scores) {
  best_ = best_without_;
  float target_sum = 0;
  for (Symbol symbol : target) {
    if (is_gap(symbol)) continue;
    float best = scores.get(Lexicon::null_word, word_of(symbol)).target_given_source;
    for (size_t i = 0; i < words.size(); ++i) {
      const PairScore pair = scores.get(words[i], word_of(symbol));
      best = std::min(best, pair.target_given_source);
      best_[i] = std::min(best_[i], pair.source_given_target);
    }
    target_sum += std::isinf(best) ? unexplained : best;
  }
  float source_sum = 0;
  for (float best : best_) source_sum += std::isinf(best) ? unexplained : best;
  return {target_sum, source_sum};
}

}  // namespace dragoman::rules
