// What a rule is worth before it is applied: its weighted features, what the language models expect of its target side
// on its own, and its target side in their ids.
#pragma once

#include <span>
#include <vector>

#include "base/namespaces.h"
#include "search/arena.h"
#include "search/model_sessions.h"
#include "search/scored_rule.h"

namespace dragoman::search {

class RulePricer {
 public:
  // For rules of this sentence, which must stay.
  RulePricer(ModelSessions& models, std::span<const WordId> sentence);

  const FeatureSet& features() const { return models_.features(); }

  // The weighted sum of a rule's features, those of rule_features.h and unknown words included.
  double score(const Rule& rule);
  // What the language models expect of a target side on its own, weighted; gaps are left out.
  double estimate(std::span<const Symbol> target);
  // Fills in rule.lm_items. Links and sides must be set.
  void prepare(ScoredRule& rule, Arena& arena);
  // Adds what models expect that estimate() leaves out, because they are expensive or read the source, to the estimates
  // of rules of one source side that are prepared, and the expensive part to their hints. Words are taken to stand
  // where the source side first occurs in the sentence.
  //
  // Without it, two stages choose as if such a model had no weight: with a source-conditioned model, the heaviest
  // feature of all, the first stage would prefer what is short, and the phrase-based decoder's future costs would leave
  // it out.
  void add_hints(std::span<ScoredRule* const> rules);

 private:
  // Whether a model is left out of estimates: it costs too much to be asked about every rule, or must know the place.
  static bool gives_hints(const Scorer::Model& model) {
    return model.model->expensive() || model.model->reads_source();
  }
  void add_hints(size_t model, std::span<ScoredRule* const> rules, std::span<const uint32_t> positions);

  ModelSessions& models_;
  std::span<const WordId> sentence_;
  std::vector<LmItem> items_;
  std::vector<uint32_t> affiliations_;
  std::vector<FragmentRequest> requests_;
  std::vector<ScoredRule*> owners_;  // of the requests
  std::vector<std::byte> state_;     // nobody looks at it
};

// Where the symbols of a source side first occur in a sentence: each stretch of words at its first place after what
// came before it, a gap at the place behind.
std::vector<uint32_t> first_positions(std::span<const Symbol> source, std::span<const WordId> sentence);

}  // namespace dragoman::search
