#include "search/remembered_rules.h"

#include <algorithm>
#include <string>

#include "base/hash.h"

namespace dragoman::search {

// Rules side by side; a rule's symbols, links and values follow those of the rule before it.
struct RememberedRules::Stored {
  struct Side {
    uint32_t source_size;
    uint32_t rules;
  };
  struct Item {
    uint16_t target_size;
    uint16_t links;
    RuleKind kind;
  };
  std::vector<uint64_t> key;  // what it was kept for
  std::vector<FeatureId> features;
  std::vector<Side> sides;
  std::vector<Item> items;
  std::vector<Symbol> symbols;
  Links links;
  std::vector<float> values;

  size_t bytes() const {
    return sizeof(Stored) + key.size() * sizeof(uint64_t) + sides.size() * sizeof(Side) + items.size() * sizeof(Item) +
           symbols.size() * sizeof(Symbol) + links.size() * sizeof(Link) + values.size() * sizeof(float);
  }

  // False if the rule cannot be kept: its features are not those of the others.
  bool add(const Rule& rule) {
    if (items.empty())
      for (const FeatureValue& each : rule.features) features.push_back(each.id);
    if (rule.features.size() != features.size()) return false;
    for (size_t i = 0; i < features.size(); ++i)
      if (rule.features[i].id != features[i]) return false;
    items.push_back({static_cast<uint16_t>(rule.target.size()), static_cast<uint16_t>(rule.links.size()), rule.kind});
    symbols.insert(symbols.end(), rule.target.begin(), rule.target.end());
    links.insert(links.end(), rule.links.begin(), rule.links.end());
    for (const FeatureValue& each : rule.features) values.push_back(each.value);
    return true;
  }

  void give(SentenceGrammar& grammar) const {
    size_t item = 0, symbol = 0, link = 0, value = 0;
    std::vector<FeatureValue> named;
    for (const Side& side : sides) {
      grammar.begin_side(std::span(symbols).subspan(symbol, side.source_size));
      symbol += side.source_size;
      // The grammar looks at the rules' features until the side ends.
      named.resize(side.rules * features.size());
      for (uint32_t i = 0; i < side.rules; ++i, ++item) {
        const Item& rule = items[item];
        FeatureValue* own = named.data() + i * features.size();
        for (size_t f = 0; f < features.size(); ++f) own[f] = {features[f], values[value++]};
        grammar.add_rule(std::span(symbols).subspan(symbol, rule.target_size), {own, features.size()},
                         std::span(links).subspan(link, rule.links), rule.kind, 0);
        symbol += rule.target_size;
        link += rule.links;
      }
      grammar.end_side();
    }
  }
};

namespace {

// Orientations are counted only where they weigh something, and so belong to what is asked for.
std::vector<uint64_t> key_of(const Sentence& sentence, uint32_t max_span, bool gaps, const FeatureSet& features) {
  std::vector<uint64_t> key{max_span, gaps, 0};
  for (FeatureId id = monotone_before; id <= discontinuous_after; ++id) key[2] |= features.weight(id) != 0;
  key.insert(key.end(), sentence.words.begin(), sentence.words.end());
  return key;
}

}  // namespace

RememberedRules::RememberedRules(std::shared_ptr<const RuleSource> inner, size_t most_bytes)
    : inner_(std::move(inner)), most_bytes_(most_bytes) {}

RememberedRules::~RememberedRules() = default;

size_t RememberedRules::used_bytes() const {
  std::lock_guard lock(mutex_);
  return used_bytes_;
}

std::shared_ptr<const RememberedRules::Stored> RememberedRules::extract(const Sentence& sentence, uint32_t max_span,
                                                                        bool gaps,
                                                                        const SentenceGrammar& asking) const {
  const FeatureSet& asked = asking.features();
  // A grammar that keeps every rule, with no language model to ask; its weights say only whether to count orientations.
  FeatureSet features;
  inner_->add_features(features);
  std::vector<std::pair<std::string, double>> weights;
  for (FeatureId id = monotone_before; id <= discontinuous_after; ++id)
    weights.emplace_back(asked.name(id), asked.weight(id));
  Scorer model(std::move(features), {}, inner_->target_words());
  model.set_weights(weights);
  const WordTable target_words(inner_->target_words());
  ModelSessions models(model, target_words, {});
  RulePricer pricer(models, sentence.words);
  Arena arena;
  SentenceGrammar all(arena, pricer, 0, asking.interrupt());
  inner_->collect(sentence, max_span, gaps, all);
  auto stored = std::make_shared<Stored>();
  for (uint32_t node = 0; node < all.size(); ++node) {
    const auto rules = all.rules(node);
    if (rules.empty()) continue;
    const auto source = rules[0]->source;
    stored->sides.push_back({static_cast<uint32_t>(source.size()), static_cast<uint32_t>(rules.size())});
    stored->symbols.insert(stored->symbols.end(), source.begin(), source.end());
    for (const Rule* rule : rules)
      if (!stored->add(*rule)) return nullptr;
  }
  return stored;
}

std::unique_ptr<CollectedRules> RememberedRules::collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                                         SentenceGrammar& grammar) const {
  std::vector<uint64_t> key = key_of(sentence, max_span, gaps, grammar.features());
  const uint64_t hash = hash_bytes(key.data(), key.size() * sizeof(uint64_t));
  std::shared_ptr<const Stored> found;
  bool full;
  {
    std::lock_guard lock(mutex_);
    const auto entry = sentences_.find(hash);
    if (entry != sentences_.end() && entry->second->key == key) found = entry->second;
    full = used_bytes_ >= most_bytes_;
  }
  if (!found && !full) {
    auto made = std::const_pointer_cast<Stored>(extract(sentence, max_span, gaps, grammar));
    if (made) {
      made->key = std::move(key);
      found = made;
      std::lock_guard lock(mutex_);
      if (used_bytes_ + made->bytes() <= most_bytes_ && sentences_.try_emplace(hash, found).second)
        used_bytes_ += made->bytes();
    }
  }
  if (!found) return inner_->collect(sentence, max_span, gaps, grammar);
  found->give(grammar);
  return nullptr;
}

}  // namespace dragoman::search
