#include "search/remembered_rules.h"

#include <algorithm>

#include "base/hash.h"
#include "rules/rule_batch.h"
#include "rules/rule_code.h"

namespace dragoman::search {

// Sides one after the other: how many rules they have, their symbols, and the rules.
struct RememberedRules::Stored {
  std::vector<uint64_t> key;        // what it was kept for
  std::vector<FeatureId> features;  // which every rule has
  std::vector<uint8_t> code;

  size_t bytes() const { return sizeof(Stored) + key.size() * sizeof(uint64_t) + code.size(); }

  void give(RuleSink& sink) const {
    std::vector<Symbol> symbols;
    Links links;
    std::vector<FeatureValue> values(features.size());
    for (size_t i = 0; i < features.size(); ++i) values[i].id = features[i];
    RuleBatch side;
    for (const uint8_t* at = code.data(); at != code.data() + code.size();) {
      check(sink.interrupt());
      side.clear();
      uint32_t rules = take_count(at);
      take_symbols(at, symbols);
      side.begin_side(symbols);
      for (; rules > 0; --rules) {
        const auto kind = static_cast<RuleKind>(*at++);
        take_symbols(at, symbols);
        take_links(at, links);
        for (FeatureValue& feature : values) feature.value = take_float(at);
        side.add(symbols, links, values, 0, kind);
      }
      sink.take(side.rules());
    }
  }
};

// Writes down what the source gives.
class RememberedRules::Keeper : public RuleSink {
 public:
  explicit Keeper(const RuleSink& asking) : asking_(asking), stored_(std::make_shared<Stored>()) {}

  const FeatureSet& features() const override { return asking_.features(); }
  Interrupt* interrupt() const override { return asking_.interrupt(); }

  void take(std::span<const Rule> rules) override {
    std::vector<uint8_t>& code = stored_->code;
    if (code.empty())
      for (const FeatureValue& feature : rules[0].features) stored_->features.push_back(feature.id);
    append_varint(code, rules.size());
    append_symbols(code, rules[0].source);
    for (const Rule& rule : rules) {
      alike_ = alike_ && std::ranges::equal(rule.features, stored_->features, {}, &FeatureValue::id);
      code.push_back(static_cast<uint8_t>(rule.kind));
      append_symbols(code, rule.target);
      append_links(code, rule.links);
      for (const FeatureValue& feature : rule.features) append_float(code, feature.value);
    }
  }

  // nullptr if the rules cannot be kept: their features are not the same.
  std::shared_ptr<Stored> finish() {
    stored_->code.shrink_to_fit();
    return alike_ ? std::move(stored_) : nullptr;
  }

 private:
  const RuleSink& asking_;
  std::shared_ptr<Stored> stored_;
  bool alike_ = true;
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
    : WrappedRules(std::move(inner)), most_bytes_(most_bytes) {}

RememberedRules::~RememberedRules() = default;

bool RememberedRules::full() const {
  std::lock_guard lock(mutex_);
  return refused_;
}

std::unique_ptr<CollectedRules> RememberedRules::collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                                         RuleSink& sink) const {
  std::vector<uint64_t> key = key_of(sentence, max_span, gaps, sink.features());
  const uint64_t hash = hash_bytes(key.data(), key.size() * sizeof(uint64_t));
  std::shared_ptr<const Stored> stored;
  bool keep;
  {
    std::lock_guard lock(mutex_);
    const auto entry = sentences_.find(hash);
    const bool known = entry != sentences_.end();
    if (known && entry->second && entry->second->key == key) stored = entry->second;
    keep = !known && used_bytes_ < most_bytes_;
  }
  if (!stored && keep) {
    Keeper keeper(sink);
    inner().collect(sentence, max_span, gaps, keeper);
    if (const auto fresh = keeper.finish()) {
      fresh->key = std::move(key);
      stored = fresh;
    }
    const size_t bytes = stored ? stored->bytes() : sizeof(Stored);
    std::lock_guard lock(mutex_);
    refused_ = refused_ || used_bytes_ + bytes > most_bytes_;
    if (used_bytes_ + bytes <= most_bytes_ && sentences_.try_emplace(hash, stored).second) used_bytes_ += bytes;
  }
  if (!stored) return inner().collect(sentence, max_span, gaps, sink);
  stored->give(sink);
  return nullptr;
}

}  // namespace dragoman::search
