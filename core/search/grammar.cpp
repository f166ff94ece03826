#include "search/grammar.h"

#include <algorithm>

#include "search/rule_features.h"

namespace dragoman::search {
namespace {

// Rules whose own score is far from the best are not worth asking the language models about.
constexpr size_t estimated_per_kept = 4;

bool better(const Rule* left, const Rule* right) {
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

void SentenceGrammar::begin_side(std::span<const Symbol> source) {
  source_.assign(source.begin(), source.end());
  pending_.clear();
}

void SentenceGrammar::add_rule(std::span<const Symbol> target, std::span<const FeatureValue> features,
                               std::span<const Link> links, RuleKind kind, uint64_t reference) {
  const double score = pricer_.score({source_, target, kind}, features);
  pending_.push_back({target, features, links, score, 0, reference, kind});
}

void SentenceGrammar::end_side() {
  if (pending_.empty()) return;
  auto keep_best = [&](size_t most, auto Pending::* key) {
    auto before = [&](const Pending& left, const Pending& right) {
      if (left.*key != right.*key) return left.*key > right.*key;
      return std::ranges::lexicographical_compare(left.target, right.target);
    };
    if (pending_.size() > most) {
      std::ranges::nth_element(pending_, pending_.begin() + static_cast<ptrdiff_t>(most), before);
      pending_.resize(most);
    }
    std::ranges::sort(pending_, before);
  };
  if (rules_per_side_) keep_best(rules_per_side_ * estimated_per_kept, &Pending::score);
  for (Pending& each : pending_) each.estimate = each.score + pricer_.estimate(each.target);
  std::erase_if(pending_, [](const Pending& each) { return !is_possible(each.estimate); });
  if (pending_.empty()) return;
  keep_best(rules_per_side_ ? rules_per_side_ : pending_.size(), &Pending::estimate);

  uint32_t node = root;
  uint8_t gaps = 0;
  for (Symbol symbol : source_) {
    node = step(node, symbol);
    gaps += is_gap(symbol);
  }
  const auto source = arena_.copy(std::span<const Symbol>(source_));
  auto& rules = nodes_[node].rules;
  rule_total_ -= rules.size();
  for (const Pending& each : pending_) {
    Rule rule{source,
              arena_.copy(each.target),
              arena_.copy(each.links),
              arena_.copy(each.features),
              nullptr,
              each.score,
              each.estimate,
              0,
              each.reference,
              each.kind,
              gaps};
    pricer_.prepare(rule, arena_);
    made_.push_back(arena_.make<Rule>(rule));
  }
  pricer_.add_hints(made_);
  rules.insert(rules.end(), made_.begin(), made_.end());
  made_.clear();
  std::ranges::stable_sort(rules, better);
  if (rules_per_side_ && rules.size() > rules_per_side_) rules.resize(rules_per_side_);
  rule_total_ += rules.size();
}

}  // namespace dragoman::search
