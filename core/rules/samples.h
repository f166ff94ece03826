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

  void start(PatternTrie& trie) {
    trie_ = &trie;
    bases_.clear();
  }
  // Most matches of a sample.
  uint32_t most() const { return most_; }
  // Adds the first matches of a pattern in this segment, sorted; the first segment comes first.
  void add(uint32_t node, uint32_t segment, std::span<const Match> matches);

  // The first matches in the first segment are known, and not to be looked for.
  void know_base(uint32_t node, std::span<const Match> matches);
  bool knows_base(uint32_t node) const { return node < bases_.size() && bases_[node].known; }
  // Those that were added of the first segment, whatever has been merged into them since.
  std::span<const Match> base(uint32_t node) const {
    return node < bases_.size() ? trie_->matches(bases_[node].begin, bases_[node].end) : std::span<const Match>();
  }

 private:
  struct Base {
    uint64_t begin = 0, end = 0;  // in the trie's matches
    bool known = false;           // from before
  };
  Base& base_of(uint32_t node) {
    if (bases_.size() <= node) bases_.resize(node + size_t{1});
    return bases_[node];
  }

  const Snapshot& snapshot_;
  const uint32_t most_;
  PatternTrie* trie_ = nullptr;
  std::vector<Base> bases_;  // by node
  std::vector<Match> tagged_, merged_;
};

}  // namespace dragoman::rules
