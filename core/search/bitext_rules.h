// Rules straight from the bitext index: those of every pattern of the sentence, extracted when the sentence comes, and
// from where in the bitext each was taken.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "index/live_index.h"
#include "rules/rule_extractor.h"
#include "search/choice_cache.h"
#include "search/rule_source.h"

namespace dragoman::search {

class BitextRules : public RuleSource {
 public:
  // max_rule_span of the options is replaced by the decoder's.
  // What was made of a snapshot before this is used where it fits.
  // Rules by memories are kept in `choices`, if there are any.
  BitextRules(std::shared_ptr<const Snapshot> snapshot, const ExtractOptions& options,
              const BitextRules* before = nullptr, std::shared_ptr<ChoiceCache> choices = nullptr);
  BitextRules(std::shared_ptr<const Index> index, const ExtractOptions& options)
      : BitextRules(std::make_shared<const Snapshot>(std::move(index)), options) {}
  ~BitextRules() override;

  const Vocabulary& source_words() const override { return snapshot_->source_words(); }
  const Vocabulary& target_words() const override { return snapshot_->target_words(); }
  void add_features(FeatureSet& features) const override;
  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          RuleSink& sink) const override;
  std::shared_ptr<const RuleSource> with_memories(const MemoryChoice& choice) const override;
  // Words of the trained text have a meaning, whatever was removed of it.
  bool is_known(WordId word) const override { return !source_words().learned(word) || has_phrase({&word, 1}); }
  bool is_known_target(WordId word) const override { return !target_words().learned(word) || is_linked(word); }
  bool is_learned(WordId word) const override { return snapshot_->is_learned(word); }
  // Pairs that weigh no more than others are text like any other, which language models learn when they are built.
  const TaughtText* taught() const override { return snapshot_->weight() == 1 ? nullptr : &snapshot_->taught(); }
  bool has_phrase(std::span<const WordId> words) const override { return snapshot_->has_source_phrase(words); }
  std::optional<TrainingPair> pair(uint64_t stable_id) const override;
  double word_probability(WordId source, WordId target) const override;
  bool is_linked(WordId target) const override;
  NearPairs nearest(std::span<const std::string> words, const NearOptions& options) const override;
  const Snapshot& snapshot() const { return *snapshot_; }

 private:
  struct Worker;
  class Collected;
  // Whether a rule for a whole sentence of so many words is a whole correction.
  bool is_whole_correction(const Rule& rule, std::span<const uint32_t> matches, std::span<const Match> sample,
                           size_t length) const;
  // Whether what a word is linked to that no phrase has by itself is more than chance. A word that was seen once may be
  // linked to anything, mostly to frequent words; what a correction says counts, and signs are nobody's translation.
  bool is_likely_lone(const Rule& rule, std::span<const uint32_t> matches, std::span<const Match> sample) const;
  // A target word is linked to the source word once in so many times, at least.
  static constexpr uint64_t lone_share = 32;
  // Extractors keep their memory from sentence to sentence; as many exist as threads have decoded at once.
  std::unique_ptr<Worker> take(uint32_t max_span, bool gaps, bool orientations) const;
  void give_back(std::unique_ptr<Worker> worker) const;

  std::shared_ptr<const Snapshot> snapshot_;
  std::shared_ptr<Workspace> workspace_;
  ExtractOptions options_;
  std::shared_ptr<ChoiceCache> choices_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Worker>> idle_;
};

// The rules of an index that learns: pinned, those of its latest snapshot.
class LiveRules : public RuleSource {
 public:
  LiveRules(std::shared_ptr<LiveIndex> index, const ExtractOptions& options);

  LiveIndex& index() const { return *index_; }
  std::shared_ptr<const RuleSource> pin() const override;
  // The words the index was opened with.
  const Vocabulary& source_words() const override { return first_->source_words(); }
  const Vocabulary& target_words() const override { return first_->target_words(); }
  void add_features(FeatureSet& features) const override { first_->add_features(features); }
  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          RuleSink& sink) const override {
    return first_->collect(sentence, max_span, gaps, sink);
  }
  std::shared_ptr<const RuleSource> with_memories(const MemoryChoice& choice) const override {
    return pin()->with_memories(choice);
  }
  bool has_phrase(std::span<const WordId> words) const override { return first_->has_phrase(words); }
  std::optional<TrainingPair> pair(uint64_t stable_id) const override { return pin()->pair(stable_id); }
  NearPairs nearest(std::span<const std::string> words, const NearOptions& options) const override {
    return pin()->nearest(words, options);
  }

 private:
  std::shared_ptr<LiveIndex> index_;
  ExtractOptions options_;
  std::shared_ptr<ChoiceCache> choices_;
  std::shared_ptr<const BitextRules> first_;  // before any change
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const BitextRules> latest_;
};

}  // namespace dragoman::search
