// The rules of one source pattern, as the decoders and the grammar writer take them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/link.h"
#include "base/namespaces.h"
#include "index/match.h"
#include "rules/pattern_trie.h"

namespace dragoman::rules {

// A target symbol is a word id, or 0 and 1 for the first and second gap of the source side.
using TargetSymbol = WordId;
inline constexpr TargetSymbol first_target_word = 2;

struct ExtractedRule {
  std::span<const TargetSymbol> target;
  std::span<const Link> links;        // between symbols, gaps counted; those of most matches, sorted
  std::span<const uint32_t> matches;  // which matches of the sample gave it: provenance
  uint32_t count;                     // how often those count together: how many they are, but for corrections
  float lexical_source_given_target;  // MaxLexFgivenE
  float lexical_target_given_source;  // MaxLexEgivenF
};

// Feature values of the interchange format, all log10.
struct RuleFeatures {
  float target_given_source_coherent;  // EgivenFCoherent
  float sample_count;                  // SampleCountF
  float count;                         // CountEF
  float lexical_source_given_target;   // MaxLexFgivenE
  float lexical_target_given_source;   // MaxLexEgivenF
  float source_singleton;              // IsSingletonF
  float pair_singleton;                // IsSingletonFE
};

// All rules of a node of the pattern trie, by variant; falling count, then by target symbols.
class NodeRules {
 public:
  std::span<const ExtractedRule> rules(Variant variant) const {
    return std::span(rules_).subspan(begins_[variant], begins_[variant + 1] - begins_[variant]);
  }
  // How often the matches that were looked at count together, those that gave nothing included.
  uint32_t samples() const { return samples_; }
  // The same of the matches that gave a rule of this variant.
  uint32_t mass(Variant variant) const { return mass_[variant]; }
  RuleFeatures features(Variant variant, const ExtractedRule& rule) const;

 private:
  friend class RuleCollector;
  friend class PackedRules;
  uint32_t samples_ = 0;
  uint32_t mass_[variant_count] = {};
  size_t begins_[variant_count + 1] = {};
  std::vector<ExtractedRule> rules_;
  std::vector<TargetSymbol> symbols_;
  Links links_;
  std::vector<uint32_t> matches_;
};

}  // namespace dragoman::rules
