// Batch MIRA on k-best lists (Cherry and Foster 2012): for each sentence the hope (a candidate that both model and BLEU
// like) must beat the fear (one the model likes and BLEU does not) by as much as they differ in BLEU; weights move just
// far enough for that, and by no more than C. A sentence's BLEU is what it would add to a corpus of earlier hopes whose
// counts decay, times that corpus' length (Chiang et al. 2008). The result is an average over all steps, which is what
// makes it stable, of several shuffled runs. A pass costs one multiplication per feature value of the pool.
#pragma once

#include <cstdint>
#include <span>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "tune/mert.h"
#include "tune/pool.h"

namespace dragoman::tune {

struct MiraOptions {
  uint32_t passes = 25;   // over the pool, in a new order each
  uint32_t shuffles = 3;  // runs in different orders, whose weights are averaged
  double clip = 0.01;     // C, the longest step
  double decay = 0.999;   // of the background corpus, per sentence
  uint64_t seed = 1;
};

TunedWeights mira(const Pool& pool, std::span<const double> start, const MiraOptions& options, size_t threads,
                  Monitor& monitor);

}  // namespace dragoman::tune
