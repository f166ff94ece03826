// What training leaves.
#pragma once

#include <vector>

#include "align/inference.h"
#include "align/pair_table.h"

namespace dragoman::align {

struct TrainedModel {
  ModelParameters parameters;
  PairTable table;                      // where the text lies
  std::vector<double> log_likelihoods;  // before every iteration from the third on, both directions together
};

}  // namespace dragoman::align
