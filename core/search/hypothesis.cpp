#include "search/hypothesis.h"

#include <algorithm>

#include "search/phrase_order.h"
#include "search/rule_features.h"

namespace dragoman::search {
namespace {

class Writer {
 public:
  Writer(Hypothesis& out, const FeatureSet& set) : out_(out), features_(set.size()) {}

  void tree(const Derivation& derivation) {
    const Edge& edge = *derivation.edge;
    const size_t place = begin_rule(edge);
    std::vector<uint32_t> positions(edge.rule->source.size());
    source_positions(edge, positions.data());
    std::vector<uint32_t> target_positions;
    for (Symbol symbol : edge.rule->target) {
      target_positions.push_back(size());
      if (is_gap(symbol)) {
        tree(*derivation.children[gap_of(symbol)]);
        out_.applications[place].target_gaps[gap_of(symbol)] = {target_positions.back(), size()};
      } else {
        out_.words.push_back(word_of(symbol));
        out_.affiliations.push_back(0);
      }
    }
    finish_rule(edge, place, positions, target_positions);
  }

  // The edges lead from the end of the sentence to its begin.
  void sequence(const Derivation& derivation, uint32_t source_size) {
    std::vector<const Edge*> edges;
    for (const Derivation* at = &derivation; at; at = at->children[0]) edges.push_back(at->edge);
    std::ranges::reverse(edges);
    Span before{0, 0};
    const ScoredRule* rule_before = nullptr;
    auto order = [&](Span now, const ScoredRule* rule) {
      const Orientation which = orientation(before.begin, before.end, now.begin, now.end);
      if (rule_before) add(reordering_value(*rule_before, true, which));
      if (rule) add(reordering_value(*rule, false, which));
    };
    for (const Edge* edge : edges) {
      if (edge->rule->kind >= RuleKind::goal) continue;
      const Span now{edge->begin, edge->end};
      order(now, edge->rule);
      features_[distortion] -= jump(before.end, now.begin);
      before = now;
      rule_before = edge->rule;
      const size_t place = begin_rule(*edge);
      std::vector<uint32_t> positions(edge->rule->source.size()), target_positions;
      source_positions(*edge, positions.data());
      for (Symbol symbol : edge->rule->target) {
        target_positions.push_back(size());
        out_.words.push_back(word_of(symbol));
        out_.affiliations.push_back(0);
      }
      finish_rule(*edge, place, positions, target_positions);
    }
    order({source_size, source_size}, nullptr);
  }

  std::vector<double>& features() { return features_; }

 private:
  uint32_t size() const { return static_cast<uint32_t>(out_.words.size()); }
  void add(FeatureValue value) { features_[value.id] += value.value; }

  size_t begin_rule(const Edge& edge) {
    const ScoredRule& rule = *edge.rule;
    for (const FeatureValue& feature : rule.features)
      if (!is_reordering(feature.id)) add(feature);
    for (const RuleFeature& feature : rule_features()) features_[feature.id] += feature.value(rule);
    out_.applications.push_back({&rule, {edge.begin, edge.end}, {size(), 0}, {}, {}, {}, {}});
    Application& application = out_.applications.back();
    application.target_gaps.resize(rule.gaps);
    for (uint32_t gap = 0; gap < rule.gaps; ++gap)
      application.source_gaps.push_back({edge.children[gap]->begin, edge.children[gap]->end});
    return out_.applications.size() - 1;
  }

  void finish_rule(const Edge& edge, size_t place, const std::vector<uint32_t>& positions,
                   const std::vector<uint32_t>& target_positions) {
    const ScoredRule& rule = *edge.rule;
    Application& application = out_.applications[place];
    application.target.end = size();
    std::vector<uint32_t> affiliations(rule.target.size());
    affiliate(rule, affiliations);
    for (size_t i = 0; i < rule.target.size(); ++i) {
      if (is_gap(rule.target[i])) continue;
      application.target_words.push_back(target_positions[i]);
      out_.affiliations[target_positions[i]] =
          affiliations[i] < positions.size() ? positions[affiliations[i]] : edge.begin;
    }
    for (size_t i = 0; i < rule.source.size(); ++i)
      if (!is_gap(rule.source[i])) application.source_words.push_back(positions[i]);
    for (const Link& link : rule.links) out_.links.push_back({positions[link.source], target_positions[link.target]});
  }

  Hypothesis& out_;
  std::vector<double> features_;
};

// What the language models say of the whole sentence, and how many of its words they do not know. The sentence's end is
// affiliated with the last source word.
void add_model_features(const Hypothesis& hypothesis, uint32_t source_size, ModelSessions& models,
                        std::vector<double>& features) {
  std::vector<LmItem> items;
  for (size_t m = 0; m < models.size(); ++m) {
    const Scorer::Model& model = models.model(m);
    items.clear();
    for (size_t i = 0; i < hypothesis.words.size(); ++i) {
      const WordId word = hypothesis.words[i];
      // A word that people have taught since training is no misspelling.
      if (models.is_unknown(m, word)) {
        if (models.is_learned(word))
          features[model.feature] += models.learned_bonus(m);
        else
          features[model.oov_feature] += 1;
      }
      items.push_back({static_cast<int32_t>(models.item(m, word)), hypothesis.affiliations[i]});
    }
    items.push_back({static_cast<int32_t>(models.end_item(m)), source_size ? source_size - 1 : 0});
    std::vector<std::byte> begin(model.model->context_bytes()), end(model.model->context_bytes());
    models[m].begin_context(begin.data());
    features[model.feature] += models[m].score_words(begin.data(), items, end.data());
  }
}

}  // namespace

Hypothesis write_out(const Derivation& derivation, bool phrase_based, uint32_t source_size, ModelSessions& models) {
  Hypothesis hypothesis;
  const FeatureSet& set = models.features();
  Writer writer(hypothesis, set);
  if (phrase_based)
    writer.sequence(derivation, source_size);
  else
    writer.tree(derivation);
  std::ranges::sort(hypothesis.links);
  add_model_features(hypothesis, source_size, models, writer.features());
  hypothesis.search_score = derivation.score;
  for (FeatureId id = 0; id < set.size(); ++id) {
    const double value = writer.features()[id];
    if (value == 0) continue;
    hypothesis.features.emplace_back(id, value);
    hypothesis.score += value * set.weight(id);
  }
  return hypothesis;
}

}  // namespace dragoman::search
