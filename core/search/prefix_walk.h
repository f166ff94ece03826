// Which source words a typed prefix has translated: the starts from which the phrase-based search goes on.
//
// A walk from left to right over the typed words, with a few hypotheses at each place. A step takes a rule whose target
// side is what was typed there, or goes on where the prefix ends; or a single typed word, which is taken for a
// translation of a source word that the lexicon links it to, or, where it is a word that nobody has seen, of the next
// one; or for an insertion, which is nobody's translation. So there is always a way. The typed words are the same in
// all hypotheses, so that language models need not be asked before the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "search/coverage.h"
#include "search/future_cost.h"
#include "search/phrase_option.h"
#include "search/rule_source.h"
#include "search/typed_prefix.h"
#include "search/word_table.h"

namespace dragoman::search {

// A beginning of the translation.
struct PrefixStart {
  Coverage coverage;
  uint32_t covered = 0;  // source words
  Span last;             // the source phrase that was translated last
  double score = 0;      // without language models
  std::vector<WordId> words;
  Links links;  // to the source
  struct Use {
    const ScoredRule* rule;
    Span source, target;
  };
  std::vector<Use> uses;  // rules that gave some of the words
  uint32_t typed = 0;     // words of it that were typed
  uint32_t part = 0;      // bytes that were typed of the last of these; 0 if it is whole
};

class PrefixWalk {
 public:
  // All must outlive it; typed words that the table lacks are added to it.
  PrefixWalk(const TypedPrefix& prefix, const Sentence& sentence, const WordTable& source_words,
             WordTable& target_words, const RuleSource& rules);

  // Best first, and no two alike.
  std::vector<PrefixStart> starts(const PhraseOptions& phrases, const FutureCost& future, double distortion_weight);

 private:
  // What was typed is a row of places: one before each whole word, then one before each byte of the tail.
  struct Step {
    uint32_t before = 0;               // hypothesis
    const ScoredRule* rule = nullptr;  // none where it is a word
    WordId word = 0;
    Span source = {};  // empty for an insertion
    uint32_t typed = 0, part = 0;
    // With all steps before it.
    Coverage coverage = {};
    uint32_t covered = 0;
    Span last = {};
    double score = 0;
    double expected = 0;
  };
  // A rule that fits at a place.
  struct Fitting {
    Span source;
    const ScoredRule* rule;
    uint32_t next;
    uint32_t typed, part;
  };
  struct Reading {
    WordId word;
    uint32_t next;
    uint32_t part;
    double cost;
  };
  uint32_t end() const { return static_cast<uint32_t>(words_.size() + tail_.size()); }
  // Where a target side leads from a place; false if it is not what was typed.
  bool follow(uint32_t place, std::span<const Symbol> target, Fitting& fitting) const;
  std::vector<Fitting> fitting_at(uint32_t place, const PhraseOptions& phrases) const;
  // Words that what was typed at a place may be or become.
  std::vector<Reading> readings_at(uint32_t place, const PhraseOptions& phrases);
  void add_endings(std::string_view begun, const PhraseOptions& phrases, std::vector<Reading>& readings);
  // Takes a step, whose score is its own, from a hypothesis to a place.
  void step(uint32_t before, uint32_t next, Step taken);
  void take_rules(uint32_t place, uint32_t before, const std::vector<Fitting>& fittings);
  void take_words(uint32_t before, const std::vector<Reading>& readings);
  void keep_best(std::vector<uint32_t>& hypotheses) const;
  PrefixStart written_out(uint32_t hypothesis) const;

  const Sentence& sentence_;
  const WordTable& source_words_;
  WordTable& target_words_;
  const RuleSource& rules_;
  std::vector<WordId> words_;
  std::string tail_;
  std::vector<std::string> tail_words_;
  // Of one walk.
  const FutureCost* future_ = nullptr;
  double distortion_weight_ = 0;
  std::vector<double> single_scores_;
  std::vector<Step> steps_;
  std::vector<std::vector<uint32_t>> places_;
};

}  // namespace dragoman::search
