#include "text/spacing_restorer.h"

namespace dragoman::text {

std::vector<std::pair<Mark, Mark>> spacing_marks(const Spacing& rules, const SpacingModel& model,
                                                 const SpacingContext& context) {
  std::vector<std::pair<Mark, Mark>> marks(context.size());
  SpacingWalk walk(rules);
  SpacingShape next{};
  for (size_t i = 0; i < context.size(); ++i) {
    const bool last = i + 1 == context.size();
    if (!last) next = context.shape(i + 1);
    const bool expected = walk.reach(context.shape(i), last ? nullptr : &next);
    bool joined = expected;
    if (const auto settled = i > 0 ? context.settled(i) : std::nullopt)
      joined = *settled;
    else if (i > 0 && context.is_open(i))
      joined = model.choose(context.features(i, expected), context.usual(i, expected)) == 1;
    if (joined != expected)
      (walk.mark_stands_right() ? marks[i].first : marks[i - 1].second) = joined ? Mark::join : Mark::space;
    walk.settle(joined);
  }
  return marks;
}

}  // namespace dragoman::text
