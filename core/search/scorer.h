// The log-linear model (thesis 2.5): named features, weights, language models. The Scorer is immutable and shared by
// threads; a SentenceScorer holds the language models' sessions of one sentence.
//
// A hypothesis' score is the sum of its rules' weighted features, known before the search, and of what the language
// models say, known only in context. The search adds up scores alone; feature values are worked out again for the
// hypotheses that are returned.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "search/arena.h"
#include "search/features.h"
#include "search/language_model.h"
#include "search/rule.h"
#include "search/word_table.h"
#include "text/vocabulary.h"

namespace dragoman::search {

struct NamedModel {
  std::string name;  // of its feature; unknown words are counted as <name>_OOV
  std::shared_ptr<const LanguageModel> model;
};

class Scorer {
 public:
  // `target` is the vocabulary that rules' target words are from. `features` knows every feature of the grammar; those
  // of the language models are added.
  Scorer(FeatureSet features, std::vector<NamedModel> models, const Vocabulary& target);

  const FeatureSet& features() const { return features_; }
  void set_weights(std::span<const std::pair<std::string, double>> weights);

  struct Model {
    std::shared_ptr<const LanguageModel> model;
    FeatureId feature, oov_feature;
    double weight, oov_weight;
    // What is added to the score of an unknown word that was learned since training; see learned_word.h.
    double learned_bonus = 0;
    std::vector<uint32_t> ids;       // by target word
    size_t context_at, fragment_at;  // where its part of the states begins
  };
  const std::vector<Model>& models() const { return models_; }
  void set_learned_bonus(size_t model, double log10_bonus) { models_[model].learned_bonus = log10_bonus; }
  bool has_expensive() const { return has_expensive_; }
  size_t context_bytes() const { return context_bytes_; }
  size_t fragment_bytes() const { return fragment_bytes_; }

 private:
  FeatureSet features_;
  std::vector<Model> models_;
  size_t context_bytes_ = 0;
  size_t fragment_bytes_ = 0;
  bool has_expensive_ = false;
};

// Which models a call is about: those that order the search, those that only judge what it chose, or both.
enum class Stage { cheap, expensive, all };

class SentenceScorer {
 public:
  // The table holds the target words; words may be added to it later. In two stages, expensive models judge what the
  // others chose; in one, all order the search.
  SentenceScorer(const Scorer& scorer, const WordTable& target_words, std::span<const std::string_view> source,
                 bool two_stages = true);

  const Scorer& scorer() const { return scorer_; }
  bool has_expensive() const { return two_stages_ && scorer_.has_expensive(); }
  // Whether some model does that is asked in the first stage.
  bool reads_source_first() const { return reads_source_first_; }
  bool gains_from_batches() const { return gains_from_batches_; }

  // The weighted sum of a rule's features, those of rule_features.h and unknown words included.
  double rule_score(const RuleView& rule, std::span<const FeatureValue> features);
  // What the language models expect of a target side on its own, weighted; gaps are left out.
  double estimate(std::span<const Symbol> target);
  // The same for models that estimate() leaves out, because they are expensive or read the source, for rules of one
  // source side, of which lm_items are filled in: adds it to their estimates, and the expensive part to their hints.
  // Words are taken to stand where the source side first occurs in the sentence, which must have been set.
  void add_hints(std::span<Rule* const> rules);
  void set_sentence(std::span<const WordId> words) { sentence_.assign(words.begin(), words.end()); }
  // Fills in rule.lm_items. Links and sides must be set.
  void prepare(Rule& rule, Arena& arena);

  // Weighted scores of the language models for a rule applied to fragments; the new state is written. `positions` maps
  // the rule's source symbols to source positions (of a gap, its first word's).
  double score_fragment(const Rule& rule, std::span<const uint32_t> positions, const std::byte* const* children,
                        bool sentence_begin, Stage stage, std::byte* state);
  // The same for many at once; scores are added to theirs.
  struct Fragment {
    const Rule* rule;
    uint32_t first_position;  // where its positions are in those of all
    bool sentence_begin;
    const std::byte* children[max_gaps];
    std::byte* state;
    double score;
  };
  void score_fragments(std::span<Fragment> fragments, std::span<const uint32_t> positions, Stage stage);
  // The same for phrases after contexts, with all models.
  struct Phrase {
    const Rule* rule;
    uint32_t begin;  // of its words on the source side
    const std::byte* state;
    std::byte* next;
    double score;
  };
  void score_phrases(std::span<Phrase> phrases);
  void begin_context(std::byte* state);
  // Adds the features of whole sentences: language models and their unknown words. The sentence's end is affiliated
  // with the last source word.
  void add_features(std::span<const WordId> words, std::span<const uint32_t> positions, uint32_t source_size,
                    std::vector<double>& features);

  uint32_t lm_id(size_t model, WordId word);
  // Whether a word is unknown to a model.
  bool is_unknown(size_t model, WordId word) { return lm_id(model, word) == scorer_.models()[model].model->unknown(); }
  LanguageModelSession& session(size_t model) { return *sessions_[model]; }
  ModelQueries queries() const;
  // Memory of the sessions that grows with the search.
  size_t bytes() const;

 private:
  bool is_expensive(const Scorer::Model& model) const { return two_stages_ && model.model->expensive(); }
  // Whether it is left out of estimates: it costs too much to be asked about every rule, or must know the place.
  static bool gives_hints(const Scorer::Model& model) {
    return model.model->expensive() || model.model->reads_source();
  }
  // A model without weight says nothing, and need not be asked.
  bool is_asked(const Scorer::Model& model, Stage stage) const {
    return model.weight != 0 && (stage == Stage::all || is_expensive(model) == (stage == Stage::expensive));
  }
  std::span<const LmItem> placed(const Scorer::Model& model, std::span<const LmItem> items,
                                 std::span<const uint32_t> positions);

  const Scorer& scorer_;
  const WordTable& words_;
  bool two_stages_;
  bool reads_source_ = false;  // some model does
  bool reads_source_first_ = false;
  bool gains_from_batches_ = false;
  std::vector<WordId> sentence_;
  std::vector<std::unique_ptr<LanguageModelSession>> sessions_;
  std::vector<std::vector<uint32_t>> extra_ids_;  // by model, of the words of this sentence alone
  std::vector<LmItem> items_;
  std::vector<uint32_t> affiliations_;
  std::vector<std::byte> state_;
  // Of a batch.
  std::vector<FragmentRequest> fragment_requests_;
  std::vector<PhraseRequest> phrase_requests_;
  std::vector<const std::byte*> children_;
};

// Where the symbols of a source side first occur in a sentence: each stretch of words at its first place after what
// came before it, a gap at the place behind.
std::vector<uint32_t> first_positions(std::span<const Symbol> source, std::span<const WordId> sentence);

// For each target symbol of a rule the source symbol its word is affiliated with (nlm/affiliation.h); where nothing is
// linked, the first word of the source side.
void affiliate(std::span<const Symbol> source, std::span<const Link> links, std::span<uint32_t> affiliations);

}  // namespace dragoman::search
