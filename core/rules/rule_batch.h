// Rules with arrays of their own for what they point to, one after the other.
#pragma once

#include <span>
#include <vector>

#include "base/namespaces.h"
#include "rules/rule.h"

namespace dragoman::rules {

class RuleBatch {
 public:
  RuleBatch() = default;
  RuleBatch(RuleBatch&&) = default;
  RuleBatch& operator=(RuleBatch&&) = default;

  // Forgets the rules and keeps the memory.
  void clear();
  // Rules that are added from now on have this source side.
  void begin_side(std::span<const Symbol> source);
  // What is given is copied; none of it may lie in this batch.
  void add(std::span<const Symbol> target, std::span<const Link> links, std::span<const FeatureValue> features,
           uint64_t reference = 0, RuleKind kind = RuleKind::grammar);
  // Valid until the next change.
  std::span<const Rule> rules() const { return rules_; }

 private:
  // Room for so many more items; rules that point to them, by these members, are put right.
  template <class Item>
  void make_room(std::vector<Item>& items, size_t more, std::initializer_list<std::span<const Item> Rule::*> members);

  std::vector<Rule> rules_;
  std::vector<Symbol> symbols_;
  Links links_;
  std::vector<FeatureValue> features_;
  size_t source_begin_ = 0, source_size_ = 0;  // in symbols_, of the side that was begun last
  uint8_t gaps_ = 0;
};

}  // namespace dragoman::rules
