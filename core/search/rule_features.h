// Features that a rule has by itself, beside those its grammar gives it. A new one is a small file with one function,
// a declaration here, a line in the table of rule_features.cpp and a name in features.h.
#pragma once

#include <span>

#include "base/namespaces.h"
#include "search/rule.h"

namespace dragoman::search {

// log10 e: what cdec counts per word, so that weights can be exchanged.
inline constexpr double word_penalty_unit = -0.43429448190325176;

double count_target_words(const RuleView& rule);
double count_source_words(const RuleView& rule);
double count_rules(const RuleView& rule);
double count_glue(const RuleView& rule);
double count_pass_through(const RuleView& rule);

struct RuleFeature {
  FeatureId id;
  double (*value)(const RuleView& rule);
};

std::span<const RuleFeature> rule_features();

}  // namespace dragoman::search
