#include "search/grammar.h"

#include <algorithm>

namespace dragoman::search {
namespace {

// Rules whose own score is far from the best are not worth asking the language models about.
constexpr size_t estimated_per_kept = 4;

bool better(const ScoredRule* left, const ScoredRule* right) {
  if (left->estimate != right->estimate) return left->estimate > right->estimate;
  // Ties go by the target side, so that the order does not depend on who added what first.
  return std::ranges::lexicographical_compare(left->target, right->target);
}

}  // namespace

uint32_t SentenceGrammar::step(uint32_t node, Symbol symbol) {
  if (is_gap(symbol)) {
    if (nodes_[node].gap_child == none) {
      nodes_[node].gap_child = size();
      nodes_.emplace_back();
    }
    return nodes_[node].gap_child;
  }
  uint32_t& child = children_[uint64_t{node} << 32 | static_cast<uint32_t>(symbol)];
  if (child == none) {
    child = size();
    nodes_.emplace_back();
  }
  return child;
}

void SentenceGrammar::keep_best(size_t most, double Priced::* key) {
  auto before = [&](const Priced& left, const Priced& right) {
    if (left.*key != right.*key) return left.*key > right.*key;
    return std::ranges::lexicographical_compare(left.rule->target, right.rule->target);
  };
  if (priced_.size() > most) {
    std::ranges::nth_element(priced_, priced_.begin() + static_cast<ptrdiff_t>(most), before);
    priced_.resize(most);
  }
  std::ranges::sort(priced_, before);
}

// A copy in the arena, ready to be used.
ScoredRule* SentenceGrammar::kept(const Priced& priced, std::span<const Symbol> source) {
  ScoredRule* rule = arena_.make<ScoredRule>(*priced.rule, nullptr, priced.score, priced.estimate, 0.0);
  rule->source = source;
  rule->target = arena_.copy(rule->target);
  rule->links = arena_.copy(rule->links);
  rule->features = arena_.copy(rule->features);
  pricer_.prepare(*rule, arena_);
  return rule;
}

void SentenceGrammar::take(std::span<const Rule> rules) {
  priced_.clear();
  const Signature signature = filter_ ? filter_->of_source(rules[0].source) : 0;
  for (const Rule& rule : rules)
    if (!filter_ || rule.kind != RuleKind::grammar || filter_->allows(rule, signature))
      priced_.push_back({&rule, pricer_.score(rule), 0});
  if (rules_per_side_) keep_best(rules_per_side_ * estimated_per_kept, &Priced::score);
  for (Priced& priced : priced_) priced.estimate = priced.score + pricer_.estimate(priced.rule->target);
  std::erase_if(priced_, [](const Priced& priced) { return !is_possible(priced.estimate); });
  if (priced_.empty()) return;
  keep_best(rules_per_side_ ? rules_per_side_ : priced_.size(), &Priced::estimate);

  uint32_t node = root;
  for (Symbol symbol : rules[0].source) node = step(node, symbol);
  const auto source = arena_.copy(rules[0].source);
  kept_.clear();
  for (const Priced& priced : priced_) kept_.push_back(kept(priced, source));
  pricer_.add_hints(kept_);
  auto& list = nodes_[node].rules;
  rule_total_ -= list.size();
  list.insert(list.end(), kept_.begin(), kept_.end());
  std::ranges::stable_sort(list, better);
  if (rules_per_side_ && list.size() > rules_per_side_) list.resize(rules_per_side_);
  rule_total_ += list.size();
}

}  // namespace dragoman::search
