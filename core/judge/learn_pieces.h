// Which pieces a text is worth: characters, then the most frequent neighbours merged, again and again (Sennrich et al.
// 2016).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "judge/pieces.h"

namespace dragoman::judge {

// At most `size` texts, the reserved ones included, for words with their counts. The same for every order of the words.
std::vector<std::string> learn_pieces(std::vector<std::pair<std::string, uint64_t>> words, uint32_t size);

}  // namespace dragoman::judge
