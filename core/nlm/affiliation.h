// Which source word a target word is affiliated with, given the links of a sentence pair or of a rule (thesis 4.9,
// after Devlin et al. 2014): its link; of several the middle one, the left one of two middles; if it has none, what the
// nearest target word with links has, the right one of two equally near.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/link.h"

namespace dragoman::nlm {

// Writes a source position for every target position; links may come in any order. Where nothing is linked the rules
// have nothing to go by: false, and all are 0.
bool affiliate(std::span<const Link> links, std::span<uint32_t> of_target);

// Those of a sentence pair, as models are trained and as text is scored: where nothing is linked, spread evenly over
// the source. Links must lie within the pair.
std::vector<uint32_t> affiliations(std::span<const Link> links, uint32_t source_size, uint32_t target_size);

}  // namespace dragoman::nlm
