// Suffix arrays over integer alphabets by induced sorting (SA-IS; Nong, Zhang and Chan 2009): linear time, and apart
// from the result only two bucket tables per level of a recursion that at least halves. A suffix that is a prefix of
// another sorts first, as if the text ended in a symbol smaller than all others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"

namespace dragoman::index {

// Positions of the suffixes of `text` in lexicographic order; every symbol is below `alphabet`. Position is int32_t for
// texts below 2^31 symbols, else int64_t.
template <class Position>
std::vector<Position> suffix_array(std::span<const uint32_t> text, uint32_t alphabet);

extern template std::vector<int32_t> suffix_array(std::span<const uint32_t>, uint32_t);
extern template std::vector<int64_t> suffix_array(std::span<const uint32_t>, uint32_t);

}  // namespace dragoman::index
