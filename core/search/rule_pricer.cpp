#include "search/rule_pricer.h"

#include <algorithm>

#include "search/rule_features.h"

namespace dragoman::search {
namespace {

// Calls visit with each stretch between gaps; is_gap_at says of an index whether a gap is there.
template <class IsGap, class Visit>
void for_each_stretch(size_t size, IsGap&& is_gap_at, Visit&& visit) {
  for (size_t at = 0; at < size; ++at) {
    const size_t begin = at;
    while (at < size && !is_gap_at(at)) ++at;
    if (at > begin) visit(begin, at);
  }
}

}  // namespace

RulePricer::RulePricer(ModelSessions& models, std::span<const WordId> sentence)
    : models_(models), sentence_(sentence), state_(models.scorer().fragment_bytes()) {}

double RulePricer::score(const Rule& rule) {
  const FeatureSet& set = models_.features();
  double score = 0;
  for (const FeatureValue& feature : rule.features)
    if (!is_reordering(feature.id)) score += set.weight(feature.id) * feature.value;
  for (const RuleFeature& feature : rule_features()) {
    const double weight = set.weight(feature.id);
    if (weight != 0) score += weight * feature.value(rule);
  }
  for (size_t m = 0; m < models_.size(); ++m) {
    const Scorer::Model& model = models_.model(m);
    const double learned_bonus = models_.learned_bonus(m);
    if (model.oov_weight == 0 && learned_bonus == 0) continue;
    for (Symbol symbol : rule.target)
      if (!is_gap(symbol) && models_.is_unknown(m, word_of(symbol)))
        score += models_.is_learned(word_of(symbol)) ? model.weight * learned_bonus : model.oov_weight;
  }
  return bounded(score);
}

double RulePricer::estimate(std::span<const Symbol> target) {
  double total = 0;
  for (size_t m = 0; m < models_.size(); ++m) {
    const Scorer::Model& model = models_.model(m);
    if (model.weight == 0 || gives_hints(model)) continue;
    // Each stretch between gaps is a fragment of its own.
    const auto is_gap_at = [&](size_t at) { return is_gap(target[at]); };
    for_each_stretch(target.size(), is_gap_at, [&](size_t begin, size_t end) {
      items_.clear();
      for (size_t at = begin; at < end; ++at)
        items_.push_back({static_cast<int32_t>(models_.item(m, word_of(target[at]))), 0});
      total += model.weight * models_[m].score_fragment(items_, nullptr, false, state_.data());
    });
  }
  return total;
}

void RulePricer::prepare(ScoredRule& rule, Arena& arena) {
  auto by_model = arena.array<std::span<const LmItem>>(models_.size());
  rule.lm_items = by_model.data();
  if (by_model.empty()) return;
  affiliations_.resize(rule.target.size());
  if (models_.reads_source()) affiliate(rule, affiliations_);
  for (size_t m = 0; m < by_model.size(); ++m) {
    const LanguageModel& model = *models_.model(m).model;
    // A model that does not read the source must not tell states apart by it.
    const bool reads = model.reads_source(), ends = rule.kind == RuleKind::goal;
    auto items = arena.array<LmItem>(rule.target.size() + ends);
    for (size_t i = 0; i < rule.target.size(); ++i) {
      const Symbol symbol = rule.target[i];
      items[i] = is_gap(symbol)
                     ? LmItem{symbol, 0}
                     : LmItem{static_cast<int32_t>(models_.item(m, word_of(symbol))), reads ? affiliations_[i] : 0};
    }
    if (ends) items.back() = {static_cast<int32_t>(models_.end_item(m)), 0};
    by_model[m] = items.first(models_[m].prepare(items));
  }
}

void RulePricer::add_hints(std::span<ScoredRule* const> rules) {
  std::vector<uint32_t> positions;
  for (size_t m = 0; m < models_.size(); ++m) {
    const Scorer::Model& model = models_.model(m);
    if (model.weight == 0 || !gives_hints(model)) continue;
    if (model.model->reads_source() && positions.empty()) positions = first_positions(rules[0]->source, sentence_);
    add_hints(m, rules, positions);
  }
}

void RulePricer::add_hints(size_t m, std::span<ScoredRule* const> rules, std::span<const uint32_t> positions) {
  const Scorer::Model& model = models_.model(m);
  const bool reads = model.model->reads_source();
  size_t most = 0;
  for (const ScoredRule* rule : rules) most += rule->lm_items[m].size();
  items_.clear();
  items_.reserve(most);  // requests point into it
  requests_.clear();
  owners_.clear();
  // Each stretch between gaps is a fragment of its own; all are asked for at once.
  for (ScoredRule* rule : rules) {
    const auto all = rule->lm_items[m];
    const auto is_gap_at = [&](size_t at) { return all[at].word < 0; };
    for_each_stretch(all.size(), is_gap_at, [&](size_t begin, size_t end) {
      const size_t first = items_.size();
      for (const LmItem& item : all.subspan(begin, end - begin))
        items_.push_back({item.word, reads ? positions[item.source] : 0});
      requests_.push_back({std::span<const LmItem>(items_).subspan(first), nullptr, false, state_.data(), 0});
      owners_.push_back(rule);
    });
  }
  models_[m].score_fragments(requests_);
  for (size_t i = 0; i < owners_.size(); ++i) {
    const double value = model.weight * requests_[i].log10_prob;
    owners_[i]->estimate += value;
    if (models_.is_expensive(model)) owners_[i]->hint += value;
  }
}

std::vector<uint32_t> first_positions(std::span<const Symbol> source, std::span<const WordId> sentence) {
  std::vector<uint32_t> positions(source.size());
  size_t at = 0;
  for (size_t begin = 0; begin < source.size();) {
    if (is_gap(source[begin])) {
      positions[begin++] = static_cast<uint32_t>(at++);
      continue;
    }
    size_t end = begin;
    while (end < source.size() && !is_gap(source[end])) ++end;
    const auto stretch = source.subspan(begin, end - begin);
    const auto rest = sentence.subspan(std::min(at, sentence.size()));
    const auto same = [](WordId word, Symbol symbol) { return word == word_of(symbol); };
    const auto match = std::ranges::search(rest, stretch, same);
    if (!match.empty()) at += static_cast<size_t>(match.begin() - rest.begin());
    for (; begin < end; ++begin) positions[begin] = static_cast<uint32_t>(at++);
  }
  return positions;
}

}  // namespace dragoman::search
