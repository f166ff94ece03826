#include "search/hypothesis_scorer.h"

namespace dragoman::search {
namespace {

// Gives each request its own items of those that were laid out for all of them, one request after the other.
template <typename Request>
void point_at(std::span<const LmItem> items, std::vector<Request>& requests) {
  size_t at = 0;
  for (Request& request : requests) {
    request.items = items.subspan(at, request.items.size());
    at += request.items.size();
  }
}

}  // namespace

std::span<const LmItem> HypothesisScorer::placed(const Scorer::Model& model, std::span<const LmItem> items,
                                                 std::span<const uint32_t> positions) {
  if (!model.model->reads_source()) return items;
  items_.assign(items.begin(), items.end());
  for (LmItem& item : items_)
    if (item.word >= 0) item.source = item.source < positions.size() ? positions[item.source] : 0;
  return items_;
}

double HypothesisScorer::score_fragment(const ScoredRule& rule, std::span<const uint32_t> positions,
                                        const std::byte* const* children, bool sentence_begin, Stage stage,
                                        std::byte* state) {
  double total = 0;
  for (size_t m = 0; m < models_.size(); ++m) {
    const Scorer::Model& model = models_.model(m);
    if (!models_.is_asked(model, stage)) continue;
    const std::byte* parts[max_gaps] = {};
    for (uint32_t gap = 0; gap < rule.gaps; ++gap) parts[gap] = children[gap] + model.fragment_at;
    total += model.weight * models_[m].score_fragment(placed(model, rule.lm_items[m], positions), parts, sentence_begin,
                                                      state + model.fragment_at);
  }
  return total;
}

void HypothesisScorer::score_fragments(std::span<Fragment> fragments, std::span<const uint32_t> positions,
                                       Stage stage) {
  for (size_t m = 0; m < models_.size(); ++m) {
    const Scorer::Model& model = models_.model(m);
    if (!models_.is_asked(model, stage)) continue;
    children_.clear();
    for (const Fragment& fragment : fragments)
      for (uint32_t gap = 0; gap < max_gaps; ++gap)
        children_.push_back(gap < fragment.rule->gaps ? fragment.children[gap] + model.fragment_at : nullptr);
    items_.clear();
    fragment_requests_.clear();
    for (size_t i = 0; i < fragments.size(); ++i) {
      const Fragment& fragment = fragments[i];
      std::span<const LmItem> items = fragment.rule->lm_items[m];
      fragment_requests_.push_back(
          {items, children_.data() + i * max_gaps, fragment.sentence_begin, fragment.state + model.fragment_at, 0});
      if (!model.model->reads_source()) continue;
      for (LmItem item : items) {
        if (item.word >= 0) item.source = positions[fragment.first_position + item.source];
        items_.push_back(item);
      }
    }
    if (model.model->reads_source()) point_at(items_, fragment_requests_);
    models_[m].score_fragments(fragment_requests_);
    for (size_t i = 0; i < fragments.size(); ++i) fragments[i].score += model.weight * fragment_requests_[i].log10_prob;
  }
}

void HypothesisScorer::score_phrases(std::span<Phrase> phrases) {
  for (size_t m = 0; m < models_.size(); ++m) {
    const Scorer::Model& model = models_.model(m);
    if (!models_.is_asked(model, Stage::all)) continue;
    const bool reads = model.model->reads_source();
    items_.clear();
    phrase_requests_.clear();
    for (const Phrase& phrase : phrases) {
      const std::span<const LmItem> items = phrase.rule->lm_items[m];
      phrase_requests_.push_back({phrase.state + model.context_at, items, phrase.next + model.context_at, 0});
      if (!reads) continue;
      for (const LmItem& item : items) items_.push_back({item.word, phrase.begin + item.source});
    }
    if (reads) point_at(items_, phrase_requests_);
    models_[m].score_phrases(phrase_requests_);
    for (size_t i = 0; i < phrases.size(); ++i) phrases[i].score += model.weight * phrase_requests_[i].log10_prob;
  }
}

void HypothesisScorer::begin_context(std::byte* state) {
  for (size_t m = 0; m < models_.size(); ++m) models_[m].begin_context(state + models_.model(m).context_at);
}

}  // namespace dragoman::search
