// What models that are expensive, or read the source, expect of rules before any of them is applied (Rule::hint).
// Without it, two stages choose as if such a model had no weight: with a source-conditioned model, the heaviest feature
// of all, the first stage would prefer what is short, and the phrase-based decoder's future costs would leave it out.
#include <algorithm>

#include "search/scorer.h"

namespace dragoman::search {

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
    const auto found = std::ranges::search(rest, stretch, same);
    if (!found.empty()) at += static_cast<size_t>(found.begin() - rest.begin());
    for (; begin < end; ++begin) positions[begin] = static_cast<uint32_t>(at++);
  }
  return positions;
}

void SentenceScorer::add_hints(std::span<Rule* const> rules) {
  std::vector<uint32_t> positions;
  std::vector<Rule*> owners;
  std::vector<size_t> ends;
  for (size_t m = 0; m < sessions_.size(); ++m) {
    const Scorer::Model& model = scorer_.models()[m];
    if (model.weight == 0 || !gives_hints(model)) continue;
    const bool reads = model.model->reads_source();
    if (reads && positions.empty()) positions = first_positions(rules[0]->source, sentence_);
    // Each stretch between gaps is a fragment of its own; all are asked for at once.
    items_.clear();
    owners.clear();
    ends.clear();
    for (Rule* rule : rules) {
      const auto all = rule->lm_items[m];
      for (size_t at = 0; at < all.size();) {
        const size_t begin = items_.size();
        for (; at < all.size() && all[at].word >= 0; ++at)
          items_.push_back({all[at].word, reads ? positions[all[at].source] : 0});
        if (items_.size() > begin) {
          ends.push_back(items_.size());
          owners.push_back(rule);
        }
        while (at < all.size() && all[at].word < 0) ++at;
      }
    }
    fragment_requests_.clear();
    for (size_t i = 0; i < ends.size(); ++i) {
      const size_t begin = i ? ends[i - 1] : 0;
      // Nobody looks at the states, so one place will do for all.
      fragment_requests_.push_back(
          {std::span<const LmItem>(items_).subspan(begin, ends[i] - begin), nullptr, false, state_.data(), 0});
    }
    sessions_[m]->score_fragments(fragment_requests_);
    for (size_t i = 0; i < owners.size(); ++i) {
      const double value = model.weight * fragment_requests_[i].log10_prob;
      owners[i]->estimate += value;
      if (is_expensive(model)) owners[i]->hint += value;
    }
  }
}

}  // namespace dragoman::search
