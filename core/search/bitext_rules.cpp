#include "search/bitext_rules.h"

#include <algorithm>

#include "rules/orientation.h"
#include "text/case_shape.h"

namespace dragoman::search {
namespace {

// What the memory of a decoder is planned with.
constexpr uint32_t most_cache_bytes = 2 << 20;
// A whole correction is worth this much of a sentence's words, each of which may have rules of its own that score well.
constexpr float words_of_one = 10;

}  // namespace

struct BitextRules::Worker {
  Worker(const std::shared_ptr<Workspace>& workspace, const ExtractOptions& own)
      : options(own), extractor(workspace, own) {}

  ExtractOptions options;
  RuleExtractor extractor;
  NodeRules rules;
  RuleBatch extended;  // rules of one side with further features
  std::vector<FeatureValue> features;
};

// Keeps the extractor at this sentence until the rules' origins have been asked for.
class BitextRules::Collected : public CollectedRules {
 public:
  Collected(const BitextRules& source, std::unique_ptr<Worker> worker) : source_(source), worker_(std::move(worker)) {}
  ~Collected() override { source_.give_back(std::move(worker_)); }

  std::vector<RuleOrigin> origins(uint64_t reference, size_t most, size_t& all) override {
    const auto [node, variant, index] = NodeReference::of(reference);
    worker_->extractor.extract(node, worker_->rules);
    const Rule& rule = worker_->rules.rules(variant)[index];
    const auto matches = worker_->rules.evidence(variant, index).matches;
    all = matches.size();
    std::vector<RuleOrigin> rule_origins;
    for (uint32_t match : matches.first(std::min(most, matches.size()))) {
      const auto place = worker_->extractor.place(node, match, variant, rule.target);
      if (!place) continue;
      const MatchOrigin seen = worker_->extractor.origin(node, match);
      RuleOrigin origin{
          seen.stable_id, {place->source_begin, place->source_end}, {place->target.begin, place->target.end}, {}, {}};
      for (const RulePlace::Gap& gap : place->gaps) {
        origin.source_gaps.push_back({gap.begin, gap.end});
        origin.target_gaps.push_back({gap.target.begin, gap.target.end});
      }
      origin.weight = seen.weight;
      rule_origins.push_back(std::move(origin));
    }
    return rule_origins;
  }

 private:
  const BitextRules& source_;
  std::unique_ptr<Worker> worker_;
};

BitextRules::BitextRules(std::shared_ptr<const Snapshot> snapshot, const ExtractOptions& options,
                         const BitextRules* before, std::shared_ptr<ChoiceCache> choices)
    : snapshot_(std::move(snapshot)),
      workspace_(std::make_shared<Workspace>(snapshot_, before ? before->workspace_.get() : nullptr)),
      options_(options),
      choices_(std::move(choices)) {
  validate(options_);
}

BitextRules::~BitextRules() = default;

std::shared_ptr<const RuleSource> BitextRules::with_memories(const MemoryChoice& choice) const {
  auto make = [&](std::shared_ptr<const Snapshot> view) {
    return std::make_shared<const BitextRules>(std::move(view), options_, this);
  };
  return choices_ ? choices_->rules(snapshot_, choice, make) : ChoiceCache().rules(snapshot_, choice, make);
}

void BitextRules::add_features(FeatureSet& features) const {
  for (std::string_view name : extracted_feature_names) features.add(name);
  features.add(sentence_memory);
  features.add(consistency);
}

bool BitextRules::is_whole_correction(const Rule& rule, std::span<const uint32_t> matches,
                                      std::span<const Match> sample, size_t length) const {
  return std::ranges::any_of(matches, [&](uint32_t match) {
    const SentencePlace place = snapshot_->place(sample[match]);
    const IndexedBitext& bitext = snapshot_->bitext_of(place);
    const uint64_t number = Snapshot::number_of(place);
    return snapshot_->is_correction(place) && bitext.source_range(number).size() == length &&
           bitext.target_range(number).size() == rule.target.size();
  });
}

bool BitextRules::is_likely_lone(const Rule& rule, std::span<const uint32_t> matches,
                                 std::span<const Match> sample) const {
  if (std::ranges::any_of(matches,
                          [&](uint32_t match) { return snapshot_->is_correction(snapshot_->place(sample[match])); }))
    return true;
  const WordId source = word_of(rule.source[0]);
  if (!text::case_of(source_words().word(source)).is_word()) return false;
  return std::ranges::all_of(rule.target, [&](Symbol target) {
    return snapshot_->links(source, word_of(target)) * lone_share >= snapshot_->target_links(word_of(target));
  });
}

std::unique_ptr<BitextRules::Worker> BitextRules::take(uint32_t max_span, bool gaps, bool orientations) const {
  ExtractOptions options = options_;
  options.long_phrases = true;
  // Words without a counterpart must come from somewhere, and go somewhere.
  options.loose_phrases = true;
  // What some text translates is not passed through; is_likely_lone() says what counts.
  options.lone_words = true;
  options.max_rule_span = std::min(max_span, options_.max_rule_span);
  if (!gaps) options.max_nonterminals = 0;
  options.orientations = orientations;
  options.rule_cache_bytes = std::min(options_.rule_cache_bytes, most_cache_bytes);
  {
    std::lock_guard lock(mutex_);
    for (auto& idle : idle_)
      if (idle->options == options) {
        std::unique_ptr<Worker> worker = std::move(idle);
        idle = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
  }
  return std::make_unique<Worker>(workspace_, options);
}

void BitextRules::give_back(std::unique_ptr<Worker> worker) const {
  std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
}

std::unique_ptr<CollectedRules> BitextRules::collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                                     RuleSink& sink) const {
  const FeatureSet& features = sink.features();
  // Orientations are counted only where they weigh something.
  bool orient = false;
  for (FeatureId id = monotone_before; id <= discontinuous_after; ++id)
    orient = orient || (!gaps && features.weight(id) != 0);
  std::unique_ptr<Worker> worker = take(max_span, gaps, orient);
  ExtractedFeatureIds ids;
  std::ranges::transform(extracted_feature_names, ids.begin(),
                         [&](std::string_view name) { return features.find(name); });
  worker->rules.set_feature_ids(ids);
  const FeatureId memory = features.find(sentence_memory);
  // The extractor knows the index's words alone.
  std::vector<WordId> input(sentence.words);
  for (WordId& word : input)
    if (word >= snapshot_->source_words().size()) word = Vocabulary::unknown;
  worker->extractor.start(input, std::nullopt, sink.interrupt());
  const PatternTrie& trie = worker->extractor.patterns();
  // Rules of a side with the features that only decoders know.
  auto extended = [&](uint32_t node, Variant variant, bool whole, bool lone) {
    const auto rules = worker->rules.rules(variant);
    worker->extended.clear();
    worker->extended.begin_side(rules[0].source);
    for (size_t index = 0; index < rules.size(); ++index) {
      const Rule& rule = rules[index];
      const RuleEvidence evidence = worker->rules.evidence(variant, index);
      if (lone && !is_likely_lone(rule, evidence.matches, trie.sample(node))) continue;
      worker->features.assign(rule.features.begin(), rule.features.end());
      if (whole && is_whole_correction(rule, evidence.matches, trie.sample(node), input.size()))
        worker->features.push_back({memory, std::max(1.0f, static_cast<float>(input.size()) / words_of_one)});
      // Words that are phrases with others are to be translated with them.
      if (lone) worker->features.push_back({pass_through, 1});
      if (orient) {
        const auto log10_probs = orientation_log10_probs(evidence.orientations, evidence.count);
        for (size_t i = 0; i < orientation_count; ++i)
          worker->features.push_back({monotone_before + static_cast<FeatureId>(i), log10_probs[i]});
      }
      worker->extended.add(rule.target, rule.links, worker->features, rule.reference);
    }
    return worker->extended.rules();
  };
  for (uint32_t node = 1; node < trie.size(); ++node) {
    if (trie[node].dead || trie.sample(node).empty()) continue;
    check(sink.interrupt());
    worker->extractor.extract(node, worker->rules);
    for (uint32_t v = 0; v < variant_count; ++v) {
      const auto variant = static_cast<Variant>(v);
      const auto rules = worker->rules.rules(variant);
      if (rules.empty()) continue;
      const bool whole = variant == plain && trie[node].contiguous() && trie[node].symbols == input.size();
      const bool lone = variant == plain &&
                        worker->extractor.is_lone(node, worker->rules.evidence(plain, 0).matches[0], rules[0].target);
      const auto taken = whole || orient || lone ? extended(node, variant, whole, lone) : rules;
      if (!taken.empty()) sink.take(taken);
    }
  }
  return std::make_unique<Collected>(*this, std::move(worker));
}

std::optional<TrainingPair> BitextRules::pair(uint64_t stable_id) const {
  const auto place = snapshot_->find(stable_id);
  if (!place) return std::nullopt;
  const IndexedPair indexed_pair = read_pair(snapshot_->bitext_of(*place), Snapshot::number_of(*place));
  TrainingPair training_pair;
  for (WordId word : indexed_pair.source) training_pair.source.emplace_back(source_words().word(word));
  for (WordId word : indexed_pair.target) training_pair.target.emplace_back(target_words().word(word));
  training_pair.links = indexed_pair.links;
  return training_pair;
}

double BitextRules::word_probability(WordId source, WordId target) const {
  if (source >= source_words().size() || target >= target_words().size()) return 0;
  const uint64_t all = snapshot_->source_links(source);
  return all ? static_cast<double>(snapshot_->links(source, target)) / static_cast<double>(all) : 0;
}

bool BitextRules::is_linked(WordId target) const {
  return target < target_words().size() && snapshot_->is_linked(target);
}

NearPairs BitextRules::nearest(std::span<const std::string> words, const NearOptions& options) const {
  std::vector<WordId> ids;
  for (const std::string& word : words) ids.push_back(source_words().find(word));
  return nearest_pairs(*snapshot_, ids, options);
}

LiveRules::LiveRules(std::shared_ptr<LiveIndex> index, const ExtractOptions& options)
    : index_(std::move(index)),
      options_(options),
      choices_(std::make_shared<ChoiceCache>()),
      first_(std::make_shared<const BitextRules>(index_->snapshot(), options, nullptr, choices_)),
      latest_(first_) {}

std::shared_ptr<const RuleSource> LiveRules::pin() const {
  std::lock_guard lock(mutex_);
  const auto now = index_->snapshot();
  if (&latest_->snapshot() != now.get())
    latest_ = std::make_shared<const BitextRules>(now, options_, latest_.get(), choices_);
  return latest_;
}

}  // namespace dragoman::search
