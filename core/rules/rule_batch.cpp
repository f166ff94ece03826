#include "rules/rule_batch.h"

#include <algorithm>

namespace dragoman::rules {
namespace {

template <class Item>
std::span<const Item> append(std::vector<Item>& items, std::span<const Item> more) {
  const size_t begin = items.size();
  items.insert(items.end(), more.begin(), more.end());
  return std::span<const Item>(items).subspan(begin);
}

}  // namespace

void RuleBatch::clear() {
  rules_.clear();
  symbols_.clear();
  links_.clear();
  features_.clear();
}

template <class Item>
void RuleBatch::make_room(std::vector<Item>& items, size_t more,
                          std::initializer_list<std::span<const Item> Rule::*> members) {
  if (items.size() + more <= items.capacity()) return;
  std::vector<Item> larger;
  larger.reserve(std::max(items.size() + more, 2 * items.capacity()));
  larger.assign(items.begin(), items.end());
  for (Rule& rule : rules_)
    for (const auto member : members)
      rule.*member = {larger.data() + ((rule.*member).data() - items.data()), (rule.*member).size()};
  items.swap(larger);
}

void RuleBatch::begin_side(std::span<const Symbol> source) {
  make_room<Symbol>(symbols_, source.size(), {&Rule::source, &Rule::target});
  source_begin_ = symbols_.size();
  source_size_ = source.size();
  symbols_.insert(symbols_.end(), source.begin(), source.end());
  gaps_ = static_cast<uint8_t>(std::ranges::count_if(source, is_gap));
}

void RuleBatch::add(std::span<const Symbol> target, std::span<const Link> links, std::span<const FeatureValue> features,
                    uint64_t reference, RuleKind kind) {
  make_room<Symbol>(symbols_, target.size(), {&Rule::source, &Rule::target});
  make_room<Link>(links_, links.size(), {&Rule::links});
  make_room<FeatureValue>(features_, features.size(), {&Rule::features});
  rules_.push_back({std::span<const Symbol>(symbols_).subspan(source_begin_, source_size_), append(symbols_, target),
                    append(links_, links), append(features_, features), reference, kind, gaps_});
}

}  // namespace dragoman::rules
