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
#include <unordered_map>
#include <vector>

#include "base/namespaces.h"
#include "search/grammar.h"

namespace dragoman::search {

class GrammarFile : public RuleSource {
 public:
  // Throws InputError naming the line.
  explicit GrammarFile(std::string_view text);

  const Vocabulary& source_words() const override { return source_words_; }
  const Vocabulary& target_words() const override { return target_words_; }
  void add_features(FeatureSet& features) const override;
  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          SentenceGrammar& grammar) const override;
  uint64_t rules() const { return rules_.size(); }

 private:
  struct StoredRule {
    uint64_t target_begin, feature_begin, link_begin;
    uint32_t target_size, feature_size, link_size;
  };
  struct TrieNode {
    std::vector<uint32_t> rules;
    uint32_t gap_child = 0;  // 0: none
  };
  struct Interner {
    std::unordered_map<std::string, WordId> ids;
    std::vector<std::string> words;
    WordId id(std::string_view word);
  };

  void read_rule(std::string_view line, uint64_t number);
  void read_features(std::string_view field, uint64_t number, bool probabilities);
  uint32_t child(uint32_t node, Symbol symbol) const;
  uint32_t step(uint32_t node, Symbol symbol);

  Interner source_interner_, target_interner_, feature_interner_;  // empty once the file is read
  Vocabulary source_words_, target_words_;
  std::vector<std::string> feature_names_;
  std::vector<TrieNode> nodes_;
  std::unordered_map<uint64_t, uint32_t> children_;
  std::vector<StoredRule> rules_;
  std::vector<Symbol> targets_;
  std::vector<FeatureValue> features_;  // ids are places in feature_names_
  Links links_;
};

}  // namespace dragoman::search
