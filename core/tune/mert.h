// Minimum error rate training (Och 2003; thesis 2.5): climbs the BLEU of the pool's best candidates by exact line
// searches along coordinates and random directions, from the given weights and from seeded random starts. The error
// surface is a staircase with many plateaus, hence the starts. Suits up to about twenty features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "tune/pool.h"

namespace dragoman::tune {

struct MertOptions {
  uint32_t starts = 8;       // the first is the given weights
  uint32_t directions = 10;  // random ones in each sweep, after the coordinates
  uint64_t seed = 1;
  std::vector<uint32_t> fixed;  // features whose weights stay as they are
};

struct TunedWeights {
  std::vector<double> weights;
  double bleu;  // on the pool
};

// Features whose values never differ between the candidates of a sentence keep their weights.
std::vector<bool> features_that_vary(const Pool& pool);

// Weights of features that vary have the L1 norm they began with, since MERT knows no scale; the others stay. Where
// some are fixed, those are the scale.
TunedWeights mert(const Pool& pool, std::span<const double> start, const MertOptions& options, size_t threads,
                  Monitor& monitor);

}  // namespace dragoman::tune
