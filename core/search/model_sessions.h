// The language models while one sentence is translated: a session with each, its ids of the sentence's words, and which
// of the models are asked when.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "search/rule_source.h"
#include "search/scorer.h"
#include "search/word_table.h"

namespace dragoman::search {

// Which models a call is about: those that order the search, those that only judge what it chose, or both.
enum class Stage { cheap, expensive, all };

class ModelSessions {
 public:
  // The table holds the target words; words may be added to it later. In two stages, expensive models judge what the
  // others chose; in one, all order the search.
  ModelSessions(const Scorer& scorer, const RuleSource& rules, const WordTable& target_words,
                std::span<const std::string_view> source, bool two_stages = true);

  const Scorer& scorer() const { return scorer_; }
  const FeatureSet& features() const { return scorer_.features(); }

  size_t size() const { return sessions_.size(); }
  const Scorer::Model& model(size_t number) const { return scorer_.models()[number]; }
  LanguageModelSession& operator[](size_t number) { return *sessions_[number]; }

  // A model without weight says nothing, and need not be asked.
  bool is_asked(const Scorer::Model& model, Stage stage) const {
    return model.weight != 0 && (stage == Stage::all || is_expensive(model) == (stage == Stage::expensive));
  }
  bool is_expensive(const Scorer::Model& model) const { return two_stages_ && model.model->expensive(); }
  bool has_expensive() const { return two_stages_ && scorer_.has_expensive(); }
  // Whether some model does, and whether one does that is asked in the first stage.
  bool reads_source() const { return reads_source_; }
  bool reads_source_first() const { return reads_source_first_; }
  bool gains_from_batches() const { return gains_from_batches_; }

  uint32_t lm_id(size_t model, WordId word);
  bool is_unknown(size_t number, WordId word) { return lm_id(number, word) == model(number).model->unknown(); }
  // Whether people have taught the word since training.
  bool is_learned(WordId word) const { return words_.is_known(word) && rules_.is_learned(word); }
  // What items are for a word and for the sentence's end in a model's session.
  uint32_t item(size_t model, WordId word);
  uint32_t end_item(size_t number) const { return sessions_[number]->end_item(model(number).model->sentence_end()); }
  // What is to be added to what the session says of a word that the model does not know and people have taught.
  double learned_bonus(size_t number) const {
    return sessions_[number]->scores_learned_words() ? 0 : model(number).learned_bonus;
  }

  ModelQueries queries() const;
  // Memory that grows with the search.
  size_t bytes() const;

 private:
  const Scorer& scorer_;
  const RuleSource& rules_;
  const WordTable& words_;
  const bool two_stages_;
  bool reads_source_ = false;
  bool reads_source_first_ = false;
  bool gains_from_batches_ = false;
  std::vector<std::unique_ptr<LanguageModelSession>> sessions_;
  std::vector<std::vector<uint32_t>> extra_ids_;  // by model, of the words of this sentence alone
};

}  // namespace dragoman::search
