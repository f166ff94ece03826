#include "search/model_sessions.h"

namespace dragoman::search {
namespace {

constexpr uint32_t not_looked_up = UINT32_MAX;

}  // namespace

ModelSessions::ModelSessions(const Scorer& scorer, const RuleSource& rules, const WordTable& target_words,
                             std::span<const std::string_view> source, bool two_stages)
    : scorer_(scorer),
      rules_(rules),
      words_(target_words),
      two_stages_(two_stages),
      extra_ids_(scorer.models().size()) {
  const TaughtText* taught = rules.taught();
  for (const Scorer::Model& scorer_model : scorer.models()) {
    sessions_.push_back(taught ? scorer_model.model->begin_taught(source, *taught) : scorer_model.model->begin(source));
    const bool reads = scorer_model.model->reads_source();
    reads_source_ = reads_source_ || reads;
    reads_source_first_ = reads_source_first_ || (reads && is_asked(scorer_model, Stage::cheap));
    gains_from_batches_ =
        gains_from_batches_ || (is_asked(scorer_model, Stage::all) && scorer_model.model->gains_from_batches());
  }
}

uint32_t ModelSessions::lm_id(size_t number, WordId word) {
  const Scorer::Model& scorer_model = model(number);
  if (word < scorer_model.ids.size()) return scorer_model.ids[word];
  auto& extra = extra_ids_[number];
  const size_t place = word - scorer_model.ids.size();
  if (place >= extra.size()) extra.resize(place + 1, not_looked_up);
  if (extra[place] == not_looked_up)
    extra[place] = words_.is_unique(word) ? scorer_model.model->unknown() : scorer_model.model->find(words_.word(word));
  return extra[place];
}

uint32_t ModelSessions::item(size_t number, WordId word) {
  const uint32_t id = lm_id(number, word);
  if (!sessions_[number]->scores_learned_words()) return id;
  const Scorer::Model& scorer_model = model(number);
  const bool learned = scorer_model.learned_bonus != 0 && id == scorer_model.model->unknown() && is_learned(word);
  return sessions_[number]->word_item(word, id, learned ? scorer_model.learned_bonus : 0);
}

ModelQueries ModelSessions::queries() const {
  ModelQueries total;
  for (const auto& session : sessions_) total.add(session->queries());
  return total;
}

size_t ModelSessions::bytes() const {
  size_t total = 0;
  for (const auto& session : sessions_) total += session->bytes();
  return total;
}

}  // namespace dragoman::search
