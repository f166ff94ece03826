// Maximum likelihood on k-best lists (thesis 2.5), which MERT and MIRA replaced: raises the probability of each
// sentence's best candidate among all of its list, which stands for all translations. The reference itself is hardly
// ever in the list, so that the candidate with the best smoothed BLEU (Lin and Och 2004) stands for it. The objective,
//
//   mean over sentences of log p(best | list) - pull/2 |w - start|²,    p(c) ∝ exp(w·values(c)),
//
// is concave; Newton's method climbs it, with steps halved until they gain. A step costs the square of the number of
// features for each candidate.
#pragma once

#include <span>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "tune/mert.h"
#include "tune/pool.h"

namespace dragoman::tune {

// Keeps the weights finite where some would make all best candidates certain.
constexpr double likelihood_pull = 1e-4;

TunedWeights likelihood(const Pool& pool, std::span<const double> start, Monitor& monitor);

}  // namespace dragoman::tune
