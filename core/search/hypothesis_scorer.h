// What the language models say of hypotheses in context: of rules applied to fragments, as in the hierarchical decoder,
// and of phrases after contexts, as in the phrase-based one. Scores are weighted; states are those of all models, one
// after the other.
#pragma once

#include <span>
#include <vector>

#include "base/namespaces.h"
#include "search/model_sessions.h"
#include "search/scored_rule.h"

namespace dragoman::search {

class HypothesisScorer {
 public:
  explicit HypothesisScorer(ModelSessions& models) : models_(models) {}

  const ModelSessions& models() const { return models_; }

  // Of a rule applied to fragments; the new state is written. `positions` maps the rule's source symbols to source
  // positions (of a gap, its first word's).
  double score_fragment(const ScoredRule& rule, std::span<const uint32_t> positions, const std::byte* const* children,
                        bool sentence_begin, Stage stage, std::byte* state);
  // The same for many at once; scores are added to theirs.
  struct Fragment {
    const ScoredRule* rule;
    uint32_t first_position;  // where its positions are in those of all
    bool sentence_begin;
    const std::byte* children[max_gaps];
    std::byte* state;
    double score;
  };
  void score_fragments(std::span<Fragment> fragments, std::span<const uint32_t> positions, Stage stage);

  // The same for phrases after contexts, with all models.
  struct Phrase {
    const ScoredRule* rule;
    uint32_t begin;  // of its words on the source side
    const std::byte* state;
    std::byte* next;
    double score;
  };
  void score_phrases(std::span<Phrase> phrases);
  void begin_context(std::byte* state);

 private:
  std::span<const LmItem> placed(const Scorer::Model& model, std::span<const LmItem> items,
                                 std::span<const uint32_t> positions);

  ModelSessions& models_;
  std::vector<LmItem> items_;
  // Of a batch.
  std::vector<FragmentRequest> fragment_requests_;
  std::vector<PhraseRequest> phrase_requests_;
  std::vector<const std::byte*> children_;
};

}  // namespace dragoman::search
