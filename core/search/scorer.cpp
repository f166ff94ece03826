#include "search/scorer.h"

#include <algorithm>

#include "nlm/affiliation.h"
#include "search/rule_features.h"

namespace dragoman::search {
namespace {

constexpr uint32_t not_looked_up = UINT32_MAX;
size_t aligned(size_t bytes) { return (bytes + 7) & ~size_t{7}; }

// Gives each request its own items of those that were laid out for all of them, one request after the other.
template <typename Request>
void point_at(std::span<const LmItem> items, std::vector<Request>& requests) {
  size_t at = 0;
  for (Request& each : requests) {
    each.items = items.subspan(at, each.items.size());
    at += each.items.size();
  }
}

}  // namespace

Scorer::Scorer(FeatureSet features, std::vector<NamedModel> models, const Vocabulary& target)
    : features_(std::move(features)) {
  for (NamedModel& each : models) {
    Model model;
    model.feature = features_.add(each.name);
    model.oov_feature = features_.add(each.name + "_OOV");
    model.weight = features_.weight(model.feature);
    model.oov_weight = features_.weight(model.oov_feature);
    model.ids.resize(target.size());
    for (WordId word = 0; word < target.size(); ++word)
      model.ids[word] = word < Vocabulary::first_word ? each.model->unknown() : each.model->find(target.word(word));
    model.context_at = context_bytes_;
    model.fragment_at = fragment_bytes_;
    context_bytes_ += aligned(each.model->context_bytes());
    fragment_bytes_ += aligned(each.model->fragment_bytes());
    has_expensive_ = has_expensive_ || each.model->expensive();
    model.model = std::move(each.model);
    models_.push_back(std::move(model));
  }
  // Weights may name the usual language model whether or not there is one.
  features_.add("LanguageModel");
  features_.add("LanguageModel_OOV");
}

void Scorer::set_weights(std::span<const std::pair<std::string, double>> weights) {
  features_.set_weights(weights);
  for (Model& model : models_) {
    model.weight = features_.weight(model.feature);
    model.oov_weight = features_.weight(model.oov_feature);
  }
}

SentenceScorer::SentenceScorer(const Scorer& scorer, const WordTable& target_words,
                               std::span<const std::string_view> source, bool two_stages)
    : scorer_(scorer),
      words_(target_words),
      two_stages_(two_stages),
      extra_ids_(scorer.models().size()),
      state_(std::max(scorer.context_bytes(), scorer.fragment_bytes())) {
  for (const auto& model : scorer.models()) {
    sessions_.push_back(model.model->begin(source));
    reads_source_ = reads_source_ || model.model->reads_source();
    reads_source_first_ = reads_source_first_ || (model.model->reads_source() && is_asked(model, Stage::cheap));
    gains_from_batches_ = gains_from_batches_ || (is_asked(model, Stage::all) && model.model->gains_from_batches());
  }
}

uint32_t SentenceScorer::lm_id(size_t model, WordId word) {
  const Scorer::Model& each = scorer_.models()[model];
  if (word < each.ids.size()) return each.ids[word];
  auto& extra = extra_ids_[model];
  const size_t place = word - each.ids.size();
  if (place >= extra.size()) extra.resize(place + 1, not_looked_up);
  if (extra[place] == not_looked_up)
    extra[place] = words_.is_unique(word) ? each.model->unknown() : each.model->find(words_.word(word));
  return extra[place];
}

double SentenceScorer::rule_score(const RuleView& rule, std::span<const FeatureValue> features) {
  double score = 0;
  for (const FeatureValue& each : features)
    if (!is_reordering(each.id)) score += scorer_.features().weight(each.id) * each.value;
  for (const RuleFeature& each : rule_features()) {
    const double weight = scorer_.features().weight(each.id);
    if (weight != 0) score += weight * each.value(rule);
  }
  for (size_t m = 0; m < sessions_.size(); ++m) {
    const Scorer::Model& model = scorer_.models()[m];
    if (model.oov_weight == 0 && model.learned_bonus == 0) continue;
    for (Symbol symbol : rule.target)
      if (!is_gap(symbol) && is_unknown(m, word_of(symbol)))
        score += words_.learned(word_of(symbol)) ? model.weight * model.learned_bonus : model.oov_weight;
  }
  return bounded(score);
}

double SentenceScorer::estimate(std::span<const Symbol> target) {
  double total = 0;
  for (size_t m = 0; m < sessions_.size(); ++m) {
    const Scorer::Model& model = scorer_.models()[m];
    if (model.weight == 0 || gives_hints(model)) continue;
    // Each stretch between gaps is a fragment of its own.
    for (size_t at = 0; at < target.size();) {
      items_.clear();
      for (; at < target.size() && !is_gap(target[at]); ++at)
        items_.push_back({static_cast<int32_t>(lm_id(m, word_of(target[at]))), 0});
      if (!items_.empty()) total += model.weight * sessions_[m]->score_fragment(items_, nullptr, false, state_.data());
      while (at < target.size() && is_gap(target[at])) ++at;
    }
  }
  return total;
}

void SentenceScorer::prepare(Rule& rule, Arena& arena) {
  auto by_model = arena.array<std::span<const LmItem>>(sessions_.size());
  if (!by_model.empty()) {
    affiliations_.resize(rule.target.size());
    if (reads_source_) affiliate(rule.source, rule.links, affiliations_);
    for (size_t m = 0; m < by_model.size(); ++m) {
      // A model that does not read the source must not tell states apart by it.
      const bool reads = scorer_.models()[m].model->reads_source();
      const bool ends = rule.kind == RuleKind::goal;
      auto items = arena.array<LmItem>(rule.target.size() + ends);
      for (size_t i = 0; i < rule.target.size(); ++i)
        items[i] = is_gap(rule.target[i])
                       ? LmItem{rule.target[i], 0}
                       : LmItem{static_cast<int32_t>(lm_id(m, word_of(rule.target[i]))), reads ? affiliations_[i] : 0};
      if (ends) items.back() = {static_cast<int32_t>(scorer_.models()[m].model->sentence_end()), 0};
      by_model[m] = items.first(sessions_[m]->prepare(items));
    }
  }
  rule.lm_items = by_model.data();
}

std::span<const LmItem> SentenceScorer::placed(const Scorer::Model& model, std::span<const LmItem> items,
                                               std::span<const uint32_t> positions) {
  if (!model.model->reads_source()) return items;
  items_.assign(items.begin(), items.end());
  for (LmItem& item : items_)
    if (item.word >= 0) item.source = item.source < positions.size() ? positions[item.source] : 0;
  return items_;
}

double SentenceScorer::score_fragment(const Rule& rule, std::span<const uint32_t> positions,
                                      const std::byte* const* children, bool sentence_begin, Stage stage,
                                      std::byte* state) {
  double total = 0;
  for (size_t m = 0; m < sessions_.size(); ++m) {
    const Scorer::Model& model = scorer_.models()[m];
    if (!is_asked(model, stage)) continue;
    const std::byte* parts[max_gaps] = {};
    for (uint32_t gap = 0; gap < rule.gaps; ++gap) parts[gap] = children[gap] + model.fragment_at;
    total += model.weight * sessions_[m]->score_fragment(placed(model, rule.lm_items[m], positions), parts,
                                                         sentence_begin, state + model.fragment_at);
  }
  return total;
}

void SentenceScorer::score_fragments(std::span<Fragment> fragments, std::span<const uint32_t> positions, Stage stage) {
  for (size_t m = 0; m < sessions_.size(); ++m) {
    const Scorer::Model& model = scorer_.models()[m];
    if (!is_asked(model, stage)) continue;
    children_.clear();
    for (const Fragment& each : fragments)
      for (uint32_t gap = 0; gap < max_gaps; ++gap)
        children_.push_back(gap < each.rule->gaps ? each.children[gap] + model.fragment_at : nullptr);
    items_.clear();
    fragment_requests_.clear();
    for (size_t i = 0; i < fragments.size(); ++i) {
      const Fragment& each = fragments[i];
      std::span<const LmItem> items = each.rule->lm_items[m];
      fragment_requests_.push_back(
          {items, children_.data() + i * max_gaps, each.sentence_begin, each.state + model.fragment_at, 0});
      if (!model.model->reads_source()) continue;
      for (LmItem item : items) {
        if (item.word >= 0) item.source = positions[each.first_position + item.source];
        items_.push_back(item);
      }
    }
    if (model.model->reads_source()) point_at(items_, fragment_requests_);
    sessions_[m]->score_fragments(fragment_requests_);
    for (size_t i = 0; i < fragments.size(); ++i) fragments[i].score += model.weight * fragment_requests_[i].log10_prob;
  }
}

ModelQueries SentenceScorer::queries() const {
  ModelQueries total;
  for (const auto& session : sessions_) total.add(session->queries());
  return total;
}

size_t SentenceScorer::bytes() const {
  size_t total = 0;
  for (const auto& session : sessions_) total += session->bytes();
  return total;
}

void SentenceScorer::score_phrases(std::span<Phrase> phrases) {
  for (size_t m = 0; m < sessions_.size(); ++m) {
    const Scorer::Model& model = scorer_.models()[m];
    if (!is_asked(model, Stage::all)) continue;
    const bool reads = model.model->reads_source();
    items_.clear();
    phrase_requests_.clear();
    for (const Phrase& each : phrases) {
      const std::span<const LmItem> items = each.rule->lm_items[m];
      phrase_requests_.push_back({each.state + model.context_at, items, each.next + model.context_at, 0});
      if (!reads) continue;
      for (const LmItem& item : items) items_.push_back({item.word, each.begin + item.source});
    }
    if (reads) point_at(items_, phrase_requests_);
    sessions_[m]->score_phrases(phrase_requests_);
    for (size_t i = 0; i < phrases.size(); ++i) phrases[i].score += model.weight * phrase_requests_[i].log10_prob;
  }
}

void SentenceScorer::begin_context(std::byte* state) {
  for (size_t m = 0; m < sessions_.size(); ++m) sessions_[m]->begin_context(state + scorer_.models()[m].context_at);
}

void SentenceScorer::add_features(std::span<const WordId> words, std::span<const uint32_t> positions,
                                  uint32_t source_size, std::vector<double>& features) {
  for (size_t m = 0; m < sessions_.size(); ++m) {
    const Scorer::Model& model = scorer_.models()[m];
    items_.clear();
    for (size_t i = 0; i < words.size(); ++i) {
      const uint32_t id = lm_id(m, words[i]);
      // A word that people have taught since training is no misspelling.
      if (is_unknown(m, words[i])) {
        if (words_.learned(words[i]))
          features[model.feature] += model.learned_bonus;
        else
          features[model.oov_feature] += 1;
      }
      items_.push_back({static_cast<int32_t>(id), positions[i]});
    }
    items_.push_back({static_cast<int32_t>(model.model->sentence_end()), source_size ? source_size - 1 : 0});
    std::vector<std::byte> begin(model.model->context_bytes()), end(model.model->context_bytes());
    sessions_[m]->begin_context(begin.data());
    features[model.feature] += sessions_[m]->score_words(begin.data(), items_, end.data());
  }
}

void affiliate(std::span<const Symbol> source, std::span<const Link> links, std::span<uint32_t> affiliations) {
  if (nlm::affiliate(links, affiliations)) return;
  const auto word = std::ranges::find_if_not(source, is_gap);
  std::ranges::fill(affiliations, word == source.end() ? 0 : static_cast<uint32_t>(word - source.begin()));
}

}  // namespace dragoman::search
