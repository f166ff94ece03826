// The rules of one source pattern, as extraction gives them to the decoders and to the grammar writer, and how each was
// seen.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "index/match.h"
#include "rules/pattern_trie.h"
#include "rules/rule_batch.h"

namespace dragoman::rules {

// The features of extracted rules, all log10, under the names of the interchange format and in its order.
enum ExtractedFeature : size_t {
  target_given_source_coherent,
  sample_count,
  pair_count,
  lexical_source_given_target,
  lexical_target_given_source,
  source_singleton,
  pair_singleton,
  extracted_feature_count
};
inline constexpr std::array<std::string_view, extracted_feature_count> extracted_feature_names = {
    "EgivenFCoherent", "SampleCountF", "CountEF", "MaxLexFgivenE", "MaxLexEgivenF", "IsSingletonF", "IsSingletonFE"};
using ExtractedFeatureIds = std::array<FeatureId, extracted_feature_count>;

struct RuleEvidence {
  uint32_t count;                     // how often its matches count together: how many they are, but for corrections
  std::span<const uint32_t> matches;  // which matches of the sample gave it: provenance
  // How often they stood to their neighbours in each way (orientation_count), or none where nobody asks.
  std::span<const uint32_t> orientations = {};
};

// What rules of nodes have as their reference.
struct NodeReference {
  uint32_t node;
  Variant variant;
  uint32_t index;  // among the rules of the variant

  static NodeReference of(uint64_t packed) {
    return {static_cast<uint32_t>(packed >> 32), static_cast<Variant>(packed >> 24 & 255),
            static_cast<uint32_t>(packed & 0xffffff)};
  }
  uint64_t packed() const { return uint64_t{node} << 32 | uint64_t{variant} << 24 | index; }
};

// All rules of a node of the pattern trie, by variant; falling count, then by target symbols.
class NodeRules {
 public:
  // The numbers that features get; without it, their places in the order of the interchange format.
  void set_feature_ids(const ExtractedFeatureIds& ids) { ids_ = ids; }

  // The rules' links are those of most matches, sorted.
  std::span<const Rule> rules(Variant variant) const {
    return batch_.rules().subspan(begins_[variant], begins_[variant + 1] - begins_[variant]);
  }
  RuleEvidence evidence(Variant variant, size_t index) const {
    const Evidence& evidence = evidence_[begins_[variant] + index];
    const size_t orientations = orientations_.size() / evidence_.size();
    return {evidence.count, std::span(matches_).subspan(evidence.matches_begin, evidence.matches),
            std::span(orientations_).subspan((begins_[variant] + index) * orientations, orientations)};
  }
  // How often the matches that were looked at count together, those that gave nothing included.
  uint32_t samples() const { return samples_; }
  // The same of the matches that gave a rule of this variant.
  uint32_t mass(Variant variant) const { return mass_[variant]; }

  // Making them: the node and its symbols as PatternTrie gives them; then the counts; then rules in their order.
  void begin(uint32_t node, std::span<const WordId> pattern);
  void set_counts(uint32_t samples, std::span<const uint32_t, variant_count> mass);
  void add(Variant variant, std::span<const Symbol> target, std::span<const Link> links, const RuleEvidence& evidence,
           float source_given_target, float target_given_source);

 private:
  struct Evidence {
    uint32_t count;
    uint32_t matches;
    size_t matches_begin;
  };
  std::span<const Symbol> source(Variant variant) const;

  ExtractedFeatureIds ids_ = {0, 1, 2, 3, 4, 5, 6};
  uint32_t node_ = 0;
  // The source side without and with a gap before it; both have one behind it, which is left out where none is.
  std::vector<Symbol> sources_[2];
  uint32_t samples_ = 0;
  uint32_t mass_[variant_count] = {};
  size_t begins_[variant_count + 1] = {};
  RuleBatch batch_;
  std::vector<Evidence> evidence_;
  std::vector<uint32_t> matches_;
  std::vector<uint32_t> orientations_;                   // as many for every rule
  FeatureValue features_[extracted_feature_count] = {};  // of the rule before; most depend on its count alone
};

}  // namespace dragoman::rules
