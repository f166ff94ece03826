// A rule as the search sees it: with what it is worth. Rules of a sentence live in its arena.
#pragma once

#include <cstdint>
#include <span>

#include "base/namespaces.h"
#include "rules/rule.h"
#include "search/features.h"
#include "search/language_model.h"

namespace dragoman::search {

struct ScoredRule : Rule {
  const std::span<const LmItem>* lm_items;  // by language model: the target side in its ids
  double score;                             // weighted features; reordering ones are left to the phrase-based decoder
  double estimate;  // score and what the language models expect of the target side: the order in which rules are tried
  double hint;      // the part of it that stands for expensive models until they have been asked
};

// For each symbol of the target side the source symbol its word is affiliated with (nlm/affiliation.h); where nothing
// is linked, the first word of the source side.
void affiliate(const Rule& rule, std::span<uint32_t> affiliations);

inline bool has_reordering(const Rule& rule) {
  for (const FeatureValue& feature : rule.features)
    if (is_reordering(feature.id)) return true;
  return false;
}

}  // namespace dragoman::search
