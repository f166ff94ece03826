// Bootstrap resampling of BLEU (Koehn 2004): test sets of the same size are drawn from the test set with replacement,
// and scores on them show how far chance reaches. Two systems are compared on the same draws. Sentence statistics are
// computed once; a draw costs one addition per sentence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "evaluate/bleu.h"

namespace dragoman::evaluate {

// Scores of `samples` draws for each system, in order of the draws; all systems see the same draws.
std::vector<std::vector<double>> bootstrap_bleu(std::span<const std::vector<evaluate::SentenceBleu>> systems,
                                                uint32_t samples, uint64_t seed, Monitor& monitor);

}  // namespace dragoman::evaluate
