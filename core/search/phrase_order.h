// What the phrase-based decoder's features ask of the order of phrases: how far the decoder jumped, and in what
// orientation two phrases that follow each other on the target side stand on the source side.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "base/namespaces.h"
#include "rules/rule.h"
#include "search/features.h"

namespace dragoman::search {

enum class Orientation : uint8_t { monotone, swap, discontinuous };

// Of a phrase [begin, end) after [before_begin, before_end). The sentence's begin counts as a phrase that ends at 0,
// its end as a phrase that begins after the last word.
inline Orientation orientation(uint32_t before_begin, uint32_t before_end, uint32_t begin, uint32_t end) {
  if (begin == before_end) return Orientation::monotone;
  return end == before_begin ? Orientation::swap : Orientation::discontinuous;
}

inline double jump(uint32_t before_end, uint32_t begin) {
  return before_end < begin ? static_cast<double>(begin - before_end) : static_cast<double>(before_end - begin);
}

// log10 p(orientation | rule) towards the phrase before or after, where the rule has them.
inline FeatureValue reordering_value(const Rule& rule, bool after, Orientation which) {
  const FeatureId wanted = (after ? monotone_after : monotone_before) + static_cast<FeatureId>(which);
  for (const FeatureValue& feature : rule.features)
    if (feature.id == wanted) return feature;
  return {wanted, 0};
}

}  // namespace dragoman::search
