// What matching cost, for comparisons of the algorithms.
#pragma once

#include <cstdint>

#include "base/namespaces.h"

namespace dragoman::rules {

struct MatchCost {
  uint64_t comparisons = 0;      // words, or pairs of matches, compared while gapped patterns were matched
  uint64_t gapped_patterns = 0;  // gapped patterns looked for
};

}  // namespace dragoman::rules
