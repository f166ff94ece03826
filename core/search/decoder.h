// From the words of a sentence to its best translations: collects the rules, adds what the sentence itself brings
// (words that pass through, translations that were asked for), searches, and writes out the k best derivations.
// Immutable and shared by threads; what one sentence needs is made for it and released after it.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/interrupt.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "index/index.h"
#include "judge/judge.h"
#include "search/arena_pool.h"
#include "search/constraints.h"
#include "search/grammar.h"
#include "search/hypothesis.h"
#include "search/options.h"
#include "search/recent_rules.h"
#include "search/rule_filter.h"
#include "search/scorer.h"
#include "search/typed_prefix.h"

namespace dragoman::search {

enum class Algorithm { hierarchical, phrase_based };
// Throws ConfigError for other names than these.
Algorithm algorithm_of(std::string_view name);

// A source token, or a span of the text that is to be translated in one of the given ways, each some words, and no
// other.
struct SourceToken {
  std::string text;
  std::vector<std::vector<std::string>> translations = {};
  // Whatever its text, it is a word that nothing else is and that no model knows; without translations it stays itself.
  bool hole = false;

  // Whether it has translations of its own, of which one is used, just once.
  bool given() const { return hole || !translations.empty(); }
};

struct SourceSentence {
  std::vector<SourceToken> tokens;
  Constraints constraints;
  // Which rules may be used, if not all; of the words of the decoder's rules.
  const RuleFilter* filter = nullptr;
  bool single_quotes = false;  // its single marks are quotation marks
};

struct DecodeRequest {
  Algorithm algorithm = Algorithm::hierarchical;
  DecodeOptions options;
  uint32_t kbest = 1;
  bool distinct = true;
  // Whether rules are written out too.
  bool explain = false;
  // What Decoder::pin gave, so that several sentences see the same rules; else each takes the latest.
  std::shared_ptr<const RuleSource> rules = nullptr;
  // Of how many sentence pairs a rule was seen in each is told where, at most.
  size_t origins = 5;
  // Whether they are looked for at all; finding them takes extracting each rule again.
  bool count_origins = true;
  // Asked at short intervals whether to go on.
  Interrupt* interrupt = nullptr;
};

// A rule as it was used.
struct RuleUse {
  RuleKind kind;
  Span source, target;  // what it covers, gaps included
  std::vector<Span> source_gaps, target_gaps;
  std::string source_side, target_side;  // with [X,1] and [X,2]
  std::vector<std::pair<FeatureId, double>> features;
  std::vector<RuleOrigin> origins;  // some of the sentence pairs it was seen in
  size_t origin_count;              // all of them
};

// Target words that one of a token's given translations stands for.
struct GivenUse {
  uint32_t token;
  uint32_t translation;  // which of them
  Span target;
};

struct DecodedCandidate {
  std::vector<std::string> words;
  std::vector<RuleKind> kinds;  // of the rule that gave each word
  std::vector<GivenUse> given;  // in order of the target side
  std::vector<uint32_t> affiliations;
  Links links;
  double score = 0;
  double search_score = 0;
  std::vector<std::pair<FeatureId, double>> features;
  std::vector<RuleUse> rules;  // if explained
  // Of a completion: words that were typed, and bytes that were typed of the last of them if it is not whole.
  uint32_t typed = 0, typed_part = 0;
};

struct DecodedSentence {
  std::vector<DecodedCandidate> candidates;  // best first
  bool narrowed = false;                     // time or memory cut the search short
  uint64_t pops = 0, scored = 0;
  uint64_t rules = 0;
  size_t scratch_bytes = 0;
  ModelQueries neural;
};

std::string_view rule_kind_name(RuleKind kind);

class Decoder {
 public:
  // Weights that name a feature which neither the rules nor the models have are refused.
  Decoder(std::shared_ptr<const RuleSource> rules, std::vector<NamedModel> models,
          std::span<const std::pair<std::string, double>> weights, std::shared_ptr<const judge::Judge> judge = nullptr);

  const FeatureSet& features() const { return scorer_.features(); }
  const RuleSource& rules() const { return *rules_; }
  // The rules as they are now.
  std::shared_ptr<const RuleSource> pin() const;
  // The same, remembered for the last sentences that they were asked for in this way.
  std::shared_ptr<const RuleSource> pin_recent() const;
  // Scores words that are learned later, which the language models do not know, like rarer words of this index.
  void know_learned_words(const Index& index);

  // The same rules and models with other weights.
  std::shared_ptr<const Decoder> with_weights(std::span<const std::pair<std::string, double>> weights) const;
  // The same decoder with the rules as they are now, whatever is learned later.
  std::shared_ptr<const Decoder> pinned() const;
  // The same decoder with lessons of these memories alone, whatever state the rules are in; see index/memory_view.h.
  std::shared_ptr<const Decoder> with_memories(MemoryChoice choice) const;
  // The same decoder, which keeps the rules of the sentences it has seen, as they are now; see remembered_rules.h.
  std::shared_ptr<const Decoder> remembering(size_t most_bytes) const;
  // The same decoder with the rules as they are now, for text that goes on from these pairs; see consistent_rules.h.
  std::shared_ptr<const Decoder> consistent_with(std::span<const TrainingPair> context) const;

  DecodedSentence decode(const SourceSentence& sentence, const DecodeRequest& request) const;
  // The best derivations of one given translation, if there are any within the limits; forced.h says why not.
  struct ForcedSearch {
    DecodedSentence decoded;
    std::set<std::string> reachable;  // words that some rule for the sentence gives
    std::vector<uint32_t> reach;      // of ReferenceModel
  };
  ForcedSearch force(const SourceSentence& sentence, const std::vector<std::string>& translation,
                     const DecodeRequest& request) const;

  // The best translations that begin with what was typed, whichever the algorithm: by the phrase-based search. Their
  // scores are the search's, and tell nothing but the order; features and rules are those of the rest.
  DecodedSentence complete(const SourceSentence& sentence, const TypedPrefix& prefix,
                           const DecodeRequest& request) const;

  // Sentences are shared out to threads; the result does not depend on how many.
  std::vector<DecodedSentence> decode_all(std::span<const SourceSentence> sentences, const DecodeRequest& request,
                                          size_t threads, Monitor& monitor) const;

 private:
  DecodedSentence run(const Scorer& scorer, const SourceSentence& sentence, const DecodeRequest& request,
                      std::set<std::string>* reachable, const TypedPrefix* prefix = nullptr) const;
  // Adds what the judge says to the best of them, in that order, and drops those it does not read.
  void judge(const Scorer& scorer, const SourceSentence& sentence, const WordTable& target_words, Interrupt* interrupt,
             std::vector<Hypothesis>& hypotheses) const;

  std::shared_ptr<const RuleSource> rules_;
  std::vector<NamedModel> models_;
  std::shared_ptr<const judge::Judge> judge_;  // of finished translations, or none
  Scorer scorer_;
  std::shared_ptr<ArenaPool> arenas_ = std::make_shared<ArenaPool>();      // shared with copies
  std::shared_ptr<RecentRules> recent_ = std::make_shared<RecentRules>();  // like these
};

}  // namespace dragoman::search
