// Features that a rule has by itself, beside those its grammar gives it. A new one is a small file with one function,
// a declaration here, a line in the table of rule_features.cpp and a name in features.h.
#pragma once

#include <span>

#include "base/namespaces.h"
#include "rules/rule.h"
#include "search/features.h"

namespace dragoman::search {

// log10 e: what cdec counts per word, so that weights can be exchanged.
inline constexpr double word_penalty_unit = -0.43429448190325176;

double count_target_words(const Rule& rule);
double count_source_words(const Rule& rule);
double count_rules(const Rule& rule);
double count_glue(const Rule& rule);
double count_pass_through(const Rule& rule);

struct RuleFeature {
  FeatureId id;
  double (*value)(const Rule& rule);
};

std::span<const RuleFeature> rule_features();

}  // namespace dragoman::search
