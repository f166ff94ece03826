// What gives the rules for a sentence (a grammar file, the bitext index through the extractor, a memory of them) and
// what takes them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/interval.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "index/memories.h"
#include "index/near_pairs.h"
#include "index/taught_text.h"
#include "rules/rule.h"
#include "search/features.h"

namespace dragoman::search {

// The input of a decoder: one sentence in source word ids.
struct Sentence {
  std::vector<WordId> words;
  size_t size() const { return words.size(); }
};

// A sentence pair of the bitext in which a rule was seen, and where: what it covers on either side, gaps included, and
// its gaps, in order of the source side. Positions count the pair's words.
struct RuleOrigin {
  uint64_t stable_id;
  Span source, target;
  std::vector<Span> source_gaps, target_gaps;
  uint32_t weight = 1;  // how often it counts
};

// What a source still knows of the rules it gave, as long as this is kept.
class CollectedRules {
 public:
  virtual ~CollectedRules() = default;
  // Where a rule was seen, at most so many places, and how many there are in all.
  virtual std::vector<RuleOrigin> origins(uint64_t reference, size_t most, size_t& all) = 0;
};

// A sentence pair that rules are taken from, as the model sees it.
struct TrainingPair {
  std::vector<std::string> source, target;
  Links links;
};

// Where rules go.
class RuleSink {
 public:
  virtual ~RuleSink() = default;
  // The numbers that rules' features must have, and what they weigh.
  virtual const FeatureSet& features() const = 0;
  // Whoever gives rules asks it, if there is one, now and then.
  virtual Interrupt* interrupt() const = 0;
  // Rules of one source side, whose gaps are numbered from left to right; what they point to must stay until the call
  // returns. A side may come again.
  virtual void take(std::span<const Rule> rules) = 0;
};

// Where rules come from.
class RuleSource {
 public:
  virtual ~RuleSource() = default;
  // What it is now, if it may change: to be kept and used in its place for one piece of work. nullptr if it never does.
  virtual std::shared_ptr<const RuleSource> pin() const { return nullptr; }
  // The same with lessons of these memories alone, as it is now. ConfigError where there is nothing to choose from.
  virtual std::shared_ptr<const RuleSource> with_memories(const MemoryChoice&) const {
    throw ConfigError("memories", "a grammar was taught nothing; leave them out");
  }
  virtual const Vocabulary& source_words() const = 0;
  virtual const Vocabulary& target_words() const = 0;
  // The features its rules may have.
  virtual void add_features(FeatureSet& features) const = 0;
  // Gives every rule that could be used on the sentence with rule spans of up to max_span words; contiguous phrases
  // may be longer, and are all there is if `gaps` is false.
  virtual std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                                  RuleSink& sink) const = 0;
  // Whether a word of its own, of either side, has a meaning here: words of pairs that are gone, or that do not apply,
  // have none.
  virtual bool is_known(WordId) const { return true; }
  virtual bool is_known_target(WordId) const { return true; }
  // Whether the target word came with a pair that people have added.
  virtual bool is_learned(WordId word) const { return target_words().learned(word); }
  // What language models are to learn of the target side of such pairs; nullptr if nothing.
  virtual const TaughtText* taught() const { return nullptr; }
  // Whether there may be rules for these words of its own, side by side.
  virtual bool has_phrase(std::span<const WordId> words) const = 0;
  // The pair that origins of rules name so, if there is one.
  virtual std::optional<TrainingPair> pair(uint64_t) const { return std::nullopt; }
  // How probable a word is as the translation of another by the links of the training text, and whether it has any.
  virtual double word_probability(WordId, WordId) const { return 0; }
  virtual bool is_linked(WordId) const { return false; }
  // The pairs whose source sides are nearest to these words.
  virtual NearPairs nearest(std::span<const std::string>, const NearOptions&) const { return {}; }
};

}  // namespace dragoman::search
