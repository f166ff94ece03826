// Names, numbers and weights of the features of the log-linear model (thesis 2.5). Every feature has a name, the one
// that weights.txt, rule lines and k-best lists use, and inside a process a small number. Some names mean something
// to the decoders and have fixed numbers; language models and grammars bring more.
#pragma once

#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "rules/rule.h"

namespace dragoman::search {

// The features every decoder knows, in the order of their numbers, and their names in the same order.
enum BuiltIn : FeatureId {
  glue,
  pass_through,
  word_penalty,
  source_word_penalty,
  rule_count,
  distortion,
  // Lexicalised reordering: log10 p(orientation | phrase pair) towards the phrase before and the phrase after.
  monotone_before,
  swap_before,
  discontinuous_before,
  monotone_after,
  swap_after,
  discontinuous_after,
  built_in_count
};

inline constexpr const char* built_in_names[] = {
    "Glue",           "PassThrough", "WordPenalty",         "SourceWordPenalty", "RuleCount", "Distortion",
    "MonotoneBefore", "SwapBefore",  "DiscontinuousBefore", "MonotoneAfter",     "SwapAfter", "DiscontinuousAfter",
};
static_assert(std::size(built_in_names) == built_in_count);

inline bool is_reordering(FeatureId id) { return id >= monotone_before && id <= discontinuous_after; }

// Of a rule that is a whole sentence as somebody corrected it.
inline constexpr std::string_view sentence_memory = "SentenceMemory";
// The decimal logarithm of one more than how often both sides were seen together.
inline constexpr std::string_view seen_together = "CountEF";
// Of a rule that makes of words what the document made of them before.
inline constexpr std::string_view consistency = "Consistency";

// What a judge says of a whole translation: log10 of its probability, and how many pieces it read.
inline constexpr std::string_view judge_probability = "Judge", judge_pieces = "JudgePieces";

class FeatureSet {
 public:
  static constexpr FeatureId none = std::numeric_limits<FeatureId>::max();

  // Knows the built-in features.
  FeatureSet();

  FeatureId size() const { return static_cast<FeatureId>(names_.size()); }
  const std::string& name(FeatureId id) const { return names_[id]; }
  FeatureId find(std::string_view name) const;
  // The number of a name, a new one if need be; weight 0 until it is set.
  FeatureId add(std::string_view name);

  double weight(FeatureId id) const { return weights_[id]; }
  // Throws ConfigError naming the feature unless it is known and the weight is a number within most_extreme_weight.
  void set_weight(std::string_view name, double weight);
  // Sets all weights: those that are not named become 0.
  void set_weights(std::span<const std::pair<std::string, double>> weights);

 private:
  std::vector<std::string> names_;
  std::vector<double> weights_;
  std::unordered_map<std::string, FeatureId> ids_;
};

// No tuning comes near it, and scores with such weights are still far from overflowing.
inline constexpr double most_extreme_weight = 1e6;

// Reads weights.txt: `name value` per line, # begins a comment. Throws InputError naming the line and the feature for
// what is no text, no number or too large, and for a feature that is named twice.
std::vector<std::pair<std::string, double>> read_weights(std::string_view text);

}  // namespace dragoman::search
