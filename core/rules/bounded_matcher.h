// Gapped patterns in the sampled matches of their prefixes alone: one pass over the sample of a pattern finds the
// matches of all that extend it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/snapshot.h"
#include "rules/gap_matcher.h"
#include "rules/match_cost.h"
#include "rules/options.h"
#include "rules/word_filter.h"

namespace dragoman::rules {

class BoundedMatcher : public GapMatcher {
 public:
  BoundedMatcher(const Snapshot& snapshot, const ExtractOptions& options, MatchCost& cost)
      : snapshot_(snapshot), options_(options), cost_(cost) {}

  void start(const Sentence& sentence) override;
  // The suffix has a sample of its own, which says nothing about the pattern.
  bool needs_suffix() const override { return false; }
  void match_level(uint32_t symbols, std::span<const uint32_t> nodes) override;
  void match_children(std::span<const uint32_t> parents) override;

 private:
  struct Fed {
    uint32_t child;
    Match match;
  };
  void feed_children(uint32_t node);

  const Snapshot& snapshot_;
  const ExtractOptions options_;
  MatchCost& cost_;
  Sentence sentence_{};
  WordFilter filter_;
  std::vector<Fed> fed_;  // what a node found for its children
  std::vector<Match> sample_;
};

}  // namespace dragoman::rules
