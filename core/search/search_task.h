// What both decoders are given and what they leave behind.
#pragma once

#include "base/namespaces.h"
#include "search/arena.h"
#include "search/constraints.h"
#include "search/forest.h"
#include "search/grammar.h"
#include "search/hypothesis_scorer.h"
#include "search/options.h"
#include "search/prefix_walk.h"
#include "search/rule_pricer.h"

namespace dragoman::search {

// A sentence of at least one word.
struct SearchTask {
  const SentenceGrammar& grammar;
  const Sentence& sentence;
  const Constraints& constraints;
  const DecodeOptions& options;
  RulePricer& pricer;
  HypothesisScorer& scorer;
  Arena& arena;  // everything the search makes lies here
  Interrupt* interrupt = nullptr;
  // Phrase-based: where translations begin, if they are to go on from what somebody typed.
  PrefixWalk* prefix = nullptr;
};

struct SearchResult {
  const Node* goal = nullptr;  // nullptr if no derivation was found
  bool narrowed = false;       // time or memory made the search narrower than asked for
  uint64_t pops = 0;
  uint64_t scored = 0;  // hypotheses the language models were asked about
  // With a prefix: its starts, whose numbers are the references of the rules that derivations begin with.
  std::vector<PrefixStart> starts = {};
};

}  // namespace dragoman::search
