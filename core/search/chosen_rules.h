// The rules of another source with these memories alone: pinned, those of its latest state.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/namespaces.h"
#include "index/memories.h"
#include "search/wrapped_rules.h"

namespace dragoman::search {

class ChosenRules : public WrappedRules {
 public:
  ChosenRules(std::shared_ptr<const RuleSource> inner, MemoryChoice choice)
      : WrappedRules(std::move(inner)), choice_(std::move(choice)) {}

  std::shared_ptr<const RuleSource> pin() const override {
    const auto latest = inner().pin();
    return (latest ? *latest : inner()).with_memories(choice_);
  }
  std::optional<TrainingPair> pair(uint64_t stable_id) const override { return pin()->pair(stable_id); }
  NearPairs nearest(std::span<const std::string> words, const NearOptions& options) const override {
    return pin()->nearest(words, options);
  }

 private:
  MemoryChoice choice_;
};

}  // namespace dragoman::search
