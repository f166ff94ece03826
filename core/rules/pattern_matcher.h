// Makes the source patterns of an input sentence (thesis 3.2 and 3.3), level by level: a pattern is looked for only if
// its prefix and its suffix were found. Contiguous ones are found by a PhraseSampler, gapped ones by a GapMatcher, each
// in all segments of the snapshot.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/interrupt.h"
#include "base/namespaces.h"
#include "index/snapshot.h"
#include "rules/base_cache.h"
#include "rules/gap_matcher.h"
#include "rules/match_cost.h"
#include "rules/options.h"
#include "rules/pattern_trie.h"
#include "rules/phrase_sampler.h"
#include "rules/rule_cache.h"
#include "rules/samples.h"
#include "rules/workspace.h"

namespace dragoman::rules {

class PatternMatcher {
 public:
  PatternMatcher(const Workspace& workspace, const ExtractOptions& options);

  // What is asked for the samples of patterns that are worth_keeping, where it is there: the rule cache knows those of
  // all segments, the base cache those of the first.
  struct Caches {
    RuleCache* rules = nullptr;
    BaseCache* base = nullptr;
  };
  // Fills the trie; matches in the sentence `excluded`, if any, do not count. After an interrupt nothing but a new
  // match is of use.
  void match(std::span<const WordId> input, std::optional<SentencePlace> excluded, PatternTrie& trie,
             const Caches& caches, Interrupt* interrupt = nullptr);
  // Whether finding a pattern of the sentence at hand and its rules anew costs much: whether its rarest phrase is
  // frequent in segment 0.
  bool worth_keeping(uint32_t node) const;

  // The sample of a pattern in the first segment alone; none if it is not known, as where the rule cache knew it all.
  std::span<const Match> base_sample(uint32_t node) const { return samples_.base(node); }

  const MatchCost& cost() const { return cost_; }

 private:
  struct State {
    uint32_t node;
    uint32_t begin, end;  // of the pattern in the input
    friend auto operator<=>(const State&, const State&) = default;
  };

  void extend(const State& state, std::span<const WordId> input);
  void add_state(uint32_t child, uint32_t begin, uint32_t end);
  uint8_t variants_with_room(const State& state, size_t input_size) const;
  uint32_t add_contiguous(uint32_t node, WordId word);
  uint32_t add_gapped(uint32_t node, bool gap, WordId word);
  bool recall(uint32_t node);
  void keep_dead();

  const ExtractOptions options_;
  const uint64_t worth_keeping_from_;  // occurrences
  MatchCost cost_;
  PhraseSampler phrases_;
  Samples samples_;
  const std::unique_ptr<GapMatcher> gaps_;
  PatternTrie* trie_ = nullptr;
  Caches caches_;
  std::vector<std::vector<State>> levels_;     // states by number of symbols
  std::vector<std::vector<uint32_t>> gapped_;  // gapped nodes by number of symbols
  std::vector<uint32_t> all_gapped_;
  std::vector<uint32_t> parents_;  // of gapped nodes made of the level at hand
  std::vector<Match> recalled_;
  PackedRules packed_;
  PackedYields packed_yields_;
};

}  // namespace dragoman::rules
