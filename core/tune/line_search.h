// The exact line search of minimum error rate training (Och 2003; thesis 2.5, figure 2.4). Along w + x·d the score of a
// candidate is a line in x; the candidates that win somewhere form the upper envelope of these lines, and the corpus
// score changes only where two lines of an envelope meet. Walking over all these points finds the best x exactly.
// A sentence with k candidates costs O(k log k), the walk O(m log m) for m points in all.
#pragma once

#include <span>
#include <vector>

#include "base/namespaces.h"
#include "tune/pool.h"

namespace dragoman::tune {

struct LineOptimum {
  double step;  // x, in the middle of the best interval
  double bleu;  // of the best candidates there
};

struct EnvelopePiece {
  double from;  // where this candidate begins to win; -infinity for the first
  uint32_t candidate;
};

// The candidates that win somewhere, by x.
std::vector<EnvelopePiece> envelope(std::span<const double> offsets, std::span<const double> slopes);

// Among intervals of equal BLEU the one nearest to 0, so that weights move only for something.
LineOptimum line_search(const Pool& pool, std::span<const double> weights, std::span<const double> direction);

}  // namespace dragoman::tune
