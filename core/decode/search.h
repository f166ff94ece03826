// What both decoders are given and what they leave behind.
#pragma once

#include "decode/arena.h"
#include "decode/constraints.h"
#include "decode/forest.h"
#include "decode/grammar.h"
#include "decode/options.h"
#include "decode/scorer.h"

namespace dragoman::decode {

// A sentence of at least one word.
struct SearchTask {
  const SentenceGrammar& grammar;
  const Sentence& sentence;
  const Constraints& constraints;
  const DecodeOptions& options;
  SentenceScorer& scorer;
  Arena& arena;  // everything the search makes lies here
  Interrupt* interrupt = nullptr;
};

struct SearchResult {
  const Node* goal = nullptr;  // nullptr if no derivation was found
  bool narrowed = false;       // time or memory made the search narrower than asked for
  uint64_t pops = 0;
  uint64_t scored = 0;  // hypotheses the language models were asked about
};

}  // namespace dragoman::decode
