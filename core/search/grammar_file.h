// A grammar in the interchange format or a phrase table of Moses, one rule per line:
//   [X] ||| source ||| target ||| Name=value ... ||| s-t ...
//   source ||| target ||| probability ... ||| s-t ... ||| whatever
// The features of a phrase are the decimal logarithms of its probabilities.
// Gaps are [X,1] and [X,2], on the target side also [1] and [2]; features without a name are PhraseModel_0, _1, ...;
// links may be left out, and those of gaps say nothing. Words are escaped as core/rules writes them. The whole file is
// kept as a trie over source sides; a sentence takes the sides that match.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "base/namespaces.h"
#include "rules/rule_batch.h"
#include "search/rule_source.h"
#include "text/word_numbering.h"

namespace dragoman::search {

class GrammarFile : public RuleSource {
 public:
  // Throws InputError naming the line.
  explicit GrammarFile(std::string_view text);

  const Vocabulary& source_words() const override { return source_words_; }
  const Vocabulary& target_words() const override { return target_words_; }
  void add_features(FeatureSet& features) const override;
  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          RuleSink& sink) const override;
  bool has_phrase(std::span<const WordId> words) const override;
  uint64_t rules() const { return rules_.rules().size(); }

 private:
  struct TrieNode {
    std::vector<uint32_t> rules;
    uint32_t gap_child = 0;  // 0: none
  };
  // What place a gap of the line has on the source side, from left to right and from 1, by its number there.
  struct GapOrder {
    uint32_t place[max_gaps + 1] = {};
    uint32_t count = 0;
  };

  void read_rule(std::string_view line, uint64_t number);
  std::vector<Symbol> read_source(std::string_view field, uint64_t number, GapOrder& gaps);
  std::vector<Symbol> read_target(std::string_view field, uint64_t number, const GapOrder& gaps);
  std::vector<FeatureValue> read_features(std::string_view field, uint64_t number, bool probabilities);
  uint32_t child(uint32_t node, Symbol symbol) const;
  uint32_t step(uint32_t node, Symbol symbol);

  WordNumbering source_numbers_, target_numbers_, feature_numbers_;  // empty once the file is read
  Vocabulary source_words_, target_words_;
  std::vector<std::string> feature_names_;
  std::vector<TrieNode> nodes_;
  FlatMap children_;  // by node and word
  RuleBatch rules_;   // features' ids are places in feature_names_
};

}  // namespace dragoman::search
