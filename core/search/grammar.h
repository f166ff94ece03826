// The rules that may be used on one sentence: a trie over source sides, words and gaps, with a list of rules at each
// side that has any, best first and no longer than the limit. Filled by a RuleSource (a grammar file, or the bitext
// index through the extractor), and by what the sentence itself adds: words that pass through, the user's constraints.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/flat_map.h"
#include "base/interrupt.h"
#include "base/interval.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "search/arena.h"
#include "search/rule.h"
#include "search/rule_pricer.h"

namespace dragoman::search {

class SentenceGrammar {
 public:
  static constexpr uint32_t root = 0;
  static constexpr uint32_t none = FlatMap::absent;
  // The edge of any gap in the trie.
  static constexpr Symbol gap_edge = -1;

  // Whoever fills it asks the interrupt, if there is one, now and then.
  SentenceGrammar(Arena& arena, RulePricer& pricer, uint32_t rules_per_side, Interrupt* interrupt = nullptr)
      : arena_(arena), pricer_(pricer), rules_per_side_(rules_per_side), interrupt_(interrupt), nodes_(1) {}

  Interrupt* interrupt() const { return interrupt_; }

  // Rules of one source side come between begin_side and end_side; what their spans point to must stay until then.
  // Gaps of the source side are numbered from left to right. A side may come again: the lists are merged.
  void begin_side(std::span<const Symbol> source);
  void add_rule(std::span<const Symbol> target, std::span<const FeatureValue> features, std::span<const Link> links,
                RuleKind kind, uint64_t reference);
  void end_side();

  uint32_t child(uint32_t node, Symbol symbol) const {
    return children_.find(uint64_t{node} << 32 | static_cast<uint32_t>(symbol));
  }
  uint32_t gap_child(uint32_t node) const { return nodes_[node].gap_child; }
  std::span<const Rule* const> rules(uint32_t node) const { return nodes_[node].rules; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  uint64_t rule_total() const { return rule_total_; }
  const FeatureSet& features() const { return pricer_.features(); }

 private:
  struct Node {
    std::vector<const Rule*> rules;
    uint32_t gap_child = none;
  };
  struct Pending {
    std::span<const Symbol> target;
    std::span<const FeatureValue> features;
    std::span<const Link> links;
    double score;
    double estimate;
    uint64_t reference;
    RuleKind kind;
  };
  uint32_t step(uint32_t node, Symbol symbol);

  Arena& arena_;
  RulePricer& pricer_;
  uint32_t rules_per_side_;
  Interrupt* interrupt_;
  std::vector<Node> nodes_;
  FlatMap children_;
  std::vector<Symbol> source_;
  std::vector<Pending> pending_;
  std::vector<Rule*> made_;
  uint64_t rule_total_ = 0;
};

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

// Where rules come from.
class RuleSource {
 public:
  virtual ~RuleSource() = default;
  // What it is now, if it may change: to be kept and used in its place for one piece of work. nullptr if it never does.
  virtual std::shared_ptr<const RuleSource> pin() const { return nullptr; }
  virtual const Vocabulary& source_words() const = 0;
  virtual const Vocabulary& target_words() const = 0;
  // The features its rules may have.
  virtual void add_features(FeatureSet& features) const = 0;
  // Adds every rule that could be used on the sentence with rule spans of up to max_span words; contiguous phrases
  // may be longer, and are all there is if `gaps` is false.
  virtual std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                                  SentenceGrammar& grammar) const = 0;
  // The pair that origins of rules name so, if there is one.
  virtual std::optional<TrainingPair> pair(uint64_t) const { return std::nullopt; }
};

}  // namespace dragoman::search
