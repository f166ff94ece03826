#include "search/word_order.h"

#include <algorithm>
#include <optional>

namespace dragoman::search {
namespace {

// The outermost zone that a phrase lies in: once in, the search has to finish it.
Span zone_of(const Constraints& constraints, Span phrase) {
  for (const Span& zone : constraints.zones)
    if (zone.begin <= phrase.begin && phrase.end <= zone.end) phrase = zone;
  return phrase;
}

bool any_within(const std::vector<uint32_t>& group, Span span) {
  const auto at = std::ranges::lower_bound(group, span.begin);
  return at != group.end() && *at < span.end;
}

// Where the target side of a rule has one of its source symbols.
std::optional<uint32_t> place_in_target(const Rule& rule, uint32_t symbol) {
  if (is_gap(rule.source[symbol])) {
    const auto gap = std::ranges::find(rule.target, rule.source[symbol]);
    if (gap == rule.target.end()) return std::nullopt;
    return static_cast<uint32_t>(gap - rule.target.begin());
  }
  const auto link = std::ranges::find(rule.links, symbol, &Link::source);
  if (link == rule.links.end()) return std::nullopt;
  return link->target;
}

bool keeps_order(const Rule& rule, std::span<const uint32_t> symbols) {
  for (size_t i = 1; i < symbols.size(); ++i) {
    if (symbols[i] == symbols[i - 1]) continue;
    // Two words of one rule are as the training text has them.
    if (!is_gap(rule.source[symbols[i]]) && !is_gap(rule.source[symbols[i - 1]])) continue;
    const auto before = place_in_target(rule, symbols[i - 1]), here = place_in_target(rule, symbols[i]);
    if (before && here && *here < *before) return false;
  }
  return true;
}

}  // namespace

bool comes_in_order(const Constraints& constraints, const Coverage& coverage, uint32_t begin, uint32_t end) {
  if (begin <= coverage.first_gap) return true;
  const Span zone = zone_of(constraints, {begin, end});
  for (const auto& group : constraints.ordered) {
    const uint32_t bound = any_within(group, {begin, end}) ? begin : any_within(group, zone) ? zone.begin : 0;
    for (auto at = std::ranges::lower_bound(group, coverage.first_gap); at != group.end() && *at < bound; ++at)
      if (!coverage.covers(*at)) return false;
  }
  return true;
}

bool keep_ordered(const Constraints& constraints, std::span<const ScoredRule* const> rules, uint32_t begin,
                  std::span<const Span> gaps, std::vector<const ScoredRule*>& kept) {
  if (gaps.empty() || rules.empty()) return false;
  // The symbols that have words of a group, in the order of the words.
  std::vector<std::vector<uint32_t>> groups;
  for (const auto& group : constraints.ordered) {
    std::vector<uint32_t> symbols;
    uint32_t at = begin, gap = 0;
    for (uint32_t symbol = 0; symbol < rules[0]->source.size(); ++symbol) {
      const uint32_t end = is_gap(rules[0]->source[symbol]) ? gaps[gap++].end : at + 1;
      if (any_within(group, {at, end})) symbols.push_back(symbol);
      at = end;
    }
    if (symbols.size() > 1) groups.push_back(std::move(symbols));
  }
  auto in_order = [&](const ScoredRule* rule) {
    return std::ranges::all_of(groups, [&](const auto& symbols) { return keeps_order(*rule, symbols); });
  };
  if (std::ranges::all_of(rules, in_order)) return false;
  kept.clear();
  std::ranges::copy_if(rules, std::back_inserter(kept), in_order);
  return true;
}

}  // namespace dragoman::search
