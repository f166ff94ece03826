#include "rules/rule_collector.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace dragoman::rules {
namespace {

// What a word costs that no word of the other side explains.
constexpr float unexplained = 99;

template <class Item>
bool smaller(std::span<const Item> a, std::span<const Item> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

RuleFeatures NodeRules::features(Variant variant, const ExtractedRule& rule) const {
  auto log = [](double value) { return static_cast<float>(std::log10(value)); };
  return {log(static_cast<double>(samples_) / rule.count),
          log(1.0 + samples_),
          log(1.0 + rule.count),
          rule.lexical_source_given_target,
          rule.lexical_target_given_source,
          mass_[variant] == 1 ? 1.0f : 0.0f,
          rule.count == 1 ? 1.0f : 0.0f};
}

void RuleCollector::start() {
  entries_.clear();
  alignments_.clear();
  symbols_.clear();
  links_.clear();
  yields_.clear();
  numbers_.clear();
  std::fill(std::begin(mass_), std::end(mass_), 0);
  std::fill(std::begin(last_match_), std::end(last_match_), none);
}

uint32_t RuleCollector::find_entry(Variant variant, std::span<const TargetSymbol> symbols) {
  uint64_t hash = variant + 1;
  for (TargetSymbol symbol : symbols) hash = (hash ^ symbol) * 0x9e3779b97f4a7c15ull ^ hash >> 32;
  const auto [number, is_new] = numbers_.add(mix(hash), [&](uint32_t known) {
    return entries_[known].variant == variant && std::ranges::equal(target(entries_[known]), symbols);
  });
  if (is_new) {
    const auto begin = static_cast<uint32_t>(symbols_.size());
    symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
    entries_.push_back({begin, static_cast<uint32_t>(symbols_.size()), 0, 0, none, none, none, variant});
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

void RuleCollector::add(uint32_t match, uint32_t weight, Variant variant, std::span<const TargetSymbol> symbols,
                        std::span<const Link> links_here) {
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
  yields_.push_back(uint64_t{id} << 32 | match);
  if (last_match_[variant] != match) {
    last_match_[variant] = match;
    mass_[variant] += weight;
  }
}

void RuleCollector::finish(uint32_t samples, std::span<const WordId> words, LexicalScores& scores, NodeRules& out) {
  out.samples_ = samples;
  std::copy(std::begin(mass_), std::end(mass_), std::begin(out.mass_));
  out.symbols_.assign(symbols_.begin(), symbols_.end());
  out.links_.clear();
  out.rules_.clear();
  order_.resize(entries_.size());
  for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
  // Matches came in rising order, so each entry's stay so.
  matches_end_.resize(entries_.size());
  uint32_t before = 0;
  for (size_t i = 0; i < entries_.size(); ++i) {
    matches_end_[i] = before;
    before += entries_[i].matches;
  }
  out.matches_.resize(yields_.size());
  for (uint64_t yield : yields_) out.matches_[matches_end_[yield >> 32]++] = static_cast<uint32_t>(yield);
  std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
    const Entry &first = entries_[a], &second = entries_[b];
    if (first.variant != second.variant) return first.variant < second.variant;
    if (first.count != second.count) return first.count > second.count;
    return smaller(target(first), target(second));
  });
  // Spans below point into these, so they must not grow any more.
  size_t links_in_all = 0;
  for (const Entry& entry : entries_) {
    size_t most = 0;
    for (uint32_t i = entry.alignments; i != none; i = alignments_[i].next)
      most = std::max(most, links(alignments_[i]).size());
    links_in_all += most;
  }
  best_without_.resize(words.size());
  for (size_t i = 0; i < words.size(); ++i)
    best_without_[i] = scores.get(words[i], Lexicon::null_word).source_given_target;
  out.links_.reserve(links_in_all);
  out.rules_.reserve(entries_.size());
  std::fill(std::begin(out.begins_), std::end(out.begins_), 0);
  for (uint32_t id : order_) {
    const Entry& entry = entries_[id];
    uint32_t best = entry.alignments;
    for (uint32_t i = best; i != none; i = alignments_[i].next)
      if (alignments_[i].count > alignments_[best].count ||
          (alignments_[i].count == alignments_[best].count && smaller(links(alignments_[i]), links(alignments_[best]))))
        best = i;
    const size_t links_begin = out.links_.size();
    const auto chosen = links(alignments_[best]);
    out.links_.insert(out.links_.end(), chosen.begin(), chosen.end());
    ExtractedRule rule{std::span<const TargetSymbol>(out.symbols_)
                           .subspan(entry.symbols_begin, entry.symbols_end - entry.symbols_begin),
                       std::span<const Link>(out.links_).subspan(links_begin),
                       std::span<const uint32_t>(out.matches_).subspan(matches_end_[id] - entry.matches, entry.matches),
                       entry.count,
                       0,
                       0};
    score(words, scores, rule);
    out.rules_.push_back(rule);
    ++out.begins_[entry.variant + 1];
  }
  for (uint32_t variant = 0; variant < variant_count; ++variant) out.begins_[variant + 1] += out.begins_[variant];
}

void RuleCollector::score(std::span<const WordId> words, LexicalScores& scores, ExtractedRule& rule) {
  best_ = best_without_;
  float target_sum = 0;
  for (TargetSymbol target : rule.target) {
    if (target < first_target_word) continue;
    float best = scores.get(Lexicon::null_word, target).target_given_source;
    for (size_t i = 0; i < words.size(); ++i) {
      const PairScore pair = scores.get(words[i], target);
      best = std::min(best, pair.target_given_source);
      best_[i] = std::min(best_[i], pair.source_given_target);
    }
    target_sum += std::isinf(best) ? unexplained : best;
  }
  rule.lexical_target_given_source = target_sum;
  float source_sum = 0;
  for (float best : best_) source_sum += std::isinf(best) ? unexplained : best;
  rule.lexical_source_given_target = source_sum;
}

}  // namespace dragoman::rules
