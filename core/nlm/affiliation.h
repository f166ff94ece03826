// Which source word a target word is affiliated with, given the links of a sentence pair (thesis 4.9, after Devlin et
// al. 2014): its link; of several, the middle one, the left one of two middles; if it has none, what the nearest target
// word with links has, the right one of two equally near. Linear in the words but for runs of unlinked ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/link.h"
#include "text/pharaoh.h"

namespace dragoman::nlm {

// Source positions by target position; 0 throughout where nothing is linked.
std::vector<uint32_t> affiliations(std::span<const Link> links, uint32_t target_size);

}  // namespace dragoman::nlm
