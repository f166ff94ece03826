#include "rules/gap_matcher.h"

#include "rules/bounded_matcher.h"
#include "rules/exact_matcher.h"
#include "rules/extend_matcher.h"
#include "rules/merge_matcher.h"

namespace dragoman::rules {

std::unique_ptr<GapMatcher> make_gap_matcher(const Workspace& workspace, const ExtractOptions& options,
                                             MatchCost& cost) {
  // Complete lists are those of one text; where there are more, `exact` finds the same.
  const bool one_text = workspace.snapshot().segments() == 1;
  const IndexedBitext& bitext = workspace.snapshot().bitext(0);
  if (options.matching == Matching::bounded)
    return std::make_unique<BoundedMatcher>(workspace.snapshot(), options, cost);
  if (options.matching == Matching::extend && one_text) return std::make_unique<ExtendMatcher>(bitext, options, cost);
  if (options.matching == Matching::merge && one_text) return std::make_unique<MergeMatcher>(bitext, options, cost);
  return std::make_unique<ExactMatcher>(workspace, options, cost);
}

}  // namespace dragoman::rules
