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
  ScoredRule* made = arena_.make<ScoredRule>(*priced.rule, nullptr, priced.score, priced.estimate, 0.0);
  made->source = source;
  made->target = arena_.copy(made->target);
  made->links = arena_.copy(made->links);
  made->features = arena_.copy(made->features);
  pricer_.prepare(*made, arena_);
  return made;
}

void SentenceGrammar::take(std::span<const Rule> rules) {
  priced_.clear();
  const Signature signature = filter_ ? filter_->of_source(rules[0].source) : 0;
  for (const Rule& rule : rules)
    if (!filter_ || rule.kind != RuleKind::grammar || filter_->allows(rule, signature))
      priced_.push_back({&rule, pricer_.score(rule), 0});
  if (rules_per_side_) keep_best(rules_per_side_ * estimated_per_kept, &Priced::score);
  for (Priced& each : priced_) each.estimate = each.score + pricer_.estimate(each.rule->target);
  std::erase_if(priced_, [](const Priced& each) { return !is_possible(each.estimate); });
  if (priced_.empty()) return;
  keep_best(rules_per_side_ ? rules_per_side_ : priced_.size(), &Priced::estimate);

  uint32_t node = root;
  for (Symbol symbol : rules[0].source) node = step(node, symbol);
  const auto source = arena_.copy(rules[0].source);
  made_.clear();
  for (const Priced& each : priced_) made_.push_back(kept(each, source));
  pricer_.add_hints(made_);
  auto& list = nodes_[node].rules;
  rule_total_ -= list.size();
  list.insert(list.end(), made_.begin(), made_.end());
  std::ranges::stable_sort(list, better);
  if (rules_per_side_ && list.size() > rules_per_side_) list.resize(rules_per_side_);
  rule_total_ += list.size();
}

}  // namespace dragoman::search
