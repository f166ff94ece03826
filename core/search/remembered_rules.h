// The rules of sentences that are decoded again and again, as tuning does with every change of the weights: extraction
// takes longer than the search, and rules do not depend on weights. The first time a sentence comes all its rules are
// kept, as long as they fit into the given memory; later it is served from there. What was kept is immutable and shared
// by threads; where rules were seen is not remembered.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/namespaces.h"
#include "search/wrapped_rules.h"

namespace dragoman::search {

class RememberedRules : public WrappedRules {
 public:
  RememberedRules(std::shared_ptr<const RuleSource> inner, size_t most_bytes);
  ~RememberedRules() override;

  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          RuleSink& sink) const override;
  // Whether there is no room for another sentence like those that are kept.
  bool full() const;

 private:
  struct Stored;
  class Keeper;

  size_t most_bytes_;
  mutable std::mutex mutex_;
  // None of a sentence whose rules cannot be kept.
  mutable std::unordered_map<uint64_t, std::shared_ptr<const Stored>> sentences_;
  mutable size_t used_bytes_ = 0;
  mutable bool refused_ = false;  // a sentence, for want of room
};

}  // namespace dragoman::search
