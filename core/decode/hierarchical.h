// The hierarchical decoder (thesis 2.6.2; Chiang 2007): CKY with cube pruning. Cells are source spans; a cell's
// hypotheses are taken, best first, from cubes of (rule, hypothesis of its first gap, hypothesis of its second gap), no
// more than the pop limit, and those with equal language model states become one node. Spans beyond max_span are
// joined from left to right by glue rules, S -> X and S -> S X. O(n * max_span^3) cubes for n words, and pop_limit
// hypotheses a cell.
#pragma once

#include <memory>
#include <vector>

#include "decode/arena.h"
#include "decode/constraints.h"
#include "decode/forest.h"
#include "decode/grammar.h"
#include "decode/limits.h"
#include "decode/options.h"
#include "decode/scorer.h"

namespace dragoman::decode {

struct SearchResult {
  const Node* goal = nullptr;  // nullptr if no derivation was found
  bool narrowed = false;       // time or memory made the search narrower than asked for
  uint64_t pops = 0;
  uint64_t scored = 0;  // hypotheses the language models were asked about
};

// Everything the search makes lies in the arena.
SearchResult decode_hierarchical(const SentenceGrammar& grammar, const Sentence& sentence,
                                 const Constraints& constraints, const DecodeOptions& options, SentenceScorer& scorer,
                                 Arena& arena);

}  // namespace dragoman::decode
