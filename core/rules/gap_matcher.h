// One of the ways in which the samples of gapped patterns are found. The patterns of a sentence are made level by
// level, a level being those of so many symbols, and a matcher is told of them at three moments: it does its work at
// whichever suits it.
#pragma once

#include <cstdint>
#include <span>

#include "base/interrupt.h"
#include "base/namespaces.h"
#include "rules/pattern_trie.h"
#include "rules/phrase_sampler.h"
#include "rules/samples.h"

namespace dragoman::rules {

class GapMatcher {
 public:
  virtual ~GapMatcher() = default;

  // What a sentence is matched with; all of it stays where it is until the next one.
  struct Sentence {
    std::span<const WordId> input;
    PatternTrie* trie;
    const PhraseSampler* phrases;
    Samples* samples;
    Interrupt* interrupt;
  };
  virtual void start(const Sentence& sentence) = 0;
  // Whether a pattern matches nowhere if its suffix does.
  virtual bool needs_suffix() const { return true; }
  // These are the gapped patterns of so many symbols; next they are extended, those excepted that are found to be dead.
  virtual void match_level(uint32_t /*symbols*/, std::span<const uint32_t> /*nodes*/) {}
  // All patterns that extend these have been made.
  virtual void match_children(std::span<const uint32_t> /*parents*/) {}
  // These are all gapped patterns.
  virtual void match_all(std::span<const uint32_t> /*nodes*/) {}
};

}  // namespace dragoman::rules
