// Features that a rule has by itself, beside those its grammar gives it. A new one is a function and a row of the table
// in rule_features.cpp, with a number and a name in features.h.
#pragma once

#include <span>

#include "base/namespaces.h"
#include "rules/rule.h"
#include "search/features.h"

namespace dragoman::search {

struct RuleFeature {
  FeatureId id;
  double (*value)(const Rule& rule);
};

std::span<const RuleFeature> rule_features();

}  // namespace dragoman::search
