// The samples of a sentence's patterns, put together from what is found in one segment of the snapshot after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/match.h"
#include "index/snapshot.h"
#include "rules/pattern_trie.h"

namespace dragoman::rules {

class Samples {
 public:
  Samples(const Snapshot& snapshot, uint32_t most) : snapshot_(snapshot), most_(most) {}

  void start(PatternTrie& trie) { trie_ = &trie; }
  // Most matches of a sample.
  uint32_t most() const { return most_; }
  // Adds the first matches of a pattern in this segment, sorted; the first segment comes first.
  void add(uint32_t node, uint32_t segment, std::span<const Match> matches);

 private:
  const Snapshot& snapshot_;
  const uint32_t most_;
  PatternTrie* trie_ = nullptr;
  std::vector<Match> tagged_, merged_;
};

}  // namespace dragoman::rules
