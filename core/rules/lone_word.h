// What a word becomes that no phrase pair has by itself. Links may tie a word to its neighbours wherever it was seen: of
// "mot de passe" and "password" no part is a phrase. Where such a word comes alone, or beside others, what it is linked
// to says more than the word itself does.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/aligned_sentence.h"
#include "index/bitext.h"
#include "rules/match_rules.h"
#include "rules/options.h"
#include "rules/yields.h"

namespace dragoman::rules {

// The longest stretch of target words that are linked to a word, the first of several; none where that is nothing, or
// wider than a target side may be.
std::optional<Span> lone_span(const AlignedSentence& sentence, uint32_t word, const ExtractOptions& options);

class LoneWord {
 public:
  explicit LoneWord(const ExtractOptions& options) : options_(options) {}

  // What the match of this number, whose word stands at `word` of the sentence, gives; it stays until the next call.
  std::optional<Yield> find(const IndexedBitext& bitext, const AlignedSentence& sentence, uint32_t word,
                            uint32_t number);
  // Where it gives this target side.
  std::optional<RulePlace> place(const IndexedBitext& bitext, const AlignedSentence& sentence, uint32_t word,
                                 std::span<const Symbol> target);

 private:
  const ExtractOptions options_;
  std::vector<Symbol> target_;
  Links links_;
};

}  // namespace dragoman::rules
