// Words that must come out in their order, as numbers must: what a search may do next without breaking it. Whether
// they do follows from what is covered, or from which gap or word of a rule has which of them, so hypotheses need to
// remember nothing.
#pragma once

#include <span>
#include <vector>

#include "base/namespaces.h"
#include "search/constraints.h"
#include "search/coverage.h"
#include "search/scored_rule.h"

namespace dragoman::search {

// Whether a phrase [begin, end) may come next: no word of a group that it has, or that the zone has which it goes into,
// comes before an earlier one that is not covered yet.
bool comes_in_order(const Constraints& constraints, const Coverage& coverage, uint32_t begin, uint32_t end);

// Those of the rules of one source side, matched from `begin` with gaps that cover `gaps`, that keep groups in order
// where a gap has some of their words. Returns false if that is all of them, and leaves `kept` alone.
bool keep_ordered(const Constraints& constraints, std::span<const ScoredRule* const> rules, uint32_t begin,
                  std::span<const Span> gaps, std::vector<const ScoredRule*>& kept);

}  // namespace dragoman::search
