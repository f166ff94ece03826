// Entropy pruning (Stolcke 1998): leaves out the n-grams whose loss changes the model least.
//
// Dropping (h, w) raises the cross entropy by p(h) times
//   p(w|h) [log p(w|h) - log a' p(w|h')]  +  (1 - sum of explicit p(.|h)) [log a - log a'],
// where h' is h without its first word, a the back-off weight of h, and a' the weight h would have without w. p(h) is
// how often h occurred where that is known: Kneser-Ney's lower orders are made for backing off, and the product of
// conditional probabilities that SRILM takes misjudges frequent contexts (Chelba et al. 2010). Losses are computed
// against the whole model, once. An n-gram stays as long as one that begins or ends with it does, which keeps the
// model closed, and the back-off weights of contexts that lost n-grams are computed anew, so that every context still
// sums to one.
#pragma once

#include <vector>

#include "base/monitor.h"
#include "lm/compact.h"
#include "lm/ngram_trie.h"

namespace dragoman::lm {

// What dropping each n-gram alone costs, in nats, by level.
std::vector<Array<float>> entropy_losses(const NgramTrie& trie, Monitor& monitor);

class EntropyPruning {
 public:
  // The trie must stay alive.
  EntropyPruning(const NgramTrie& trie, Monitor& monitor);

  // Without the n-grams that lose less than this, in nats.
  NgramTrie above(double threshold) const;
  // The largest model whose compact form is not above so many bytes; throws ConfigError if the words alone are.
  NgramTrie within(uint64_t bytes, const CompactOptions& options, Monitor& monitor) const;

 private:
  const NgramTrie& trie_;
  // The largest loss of the n-gram and of those that begin or end with it.
  std::vector<Array<float>> loss_;
};

// Back-off weights such that every context of this level sums to one over its continuations in the level below it;
// contexts not marked keep theirs.
void renormalise(NgramTrie& trie, size_t level, const std::vector<bool>& contexts);

}  // namespace dragoman::lm
