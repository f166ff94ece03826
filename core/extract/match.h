// A match of a pattern in the source text in one word: where its first phrase begins, and how much later its second
// and third phrase do. Because sentences lie in sample order, the numeric order of matches is their sampling order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dragoman {

using Match = uint64_t;

inline Match make_match(uint64_t first, uint64_t second_after = 0, uint64_t third_after = 0) {
  return first << 16 | second_after << 8 | third_after;
}
inline uint64_t match_begin(Match match) { return match >> 16; }
// How far after the beginning phrase 0, 1 or 2 starts.
inline uint32_t match_offset(Match match, uint32_t phrase) {
  return phrase == 0 ? 0 : static_cast<uint32_t>(phrase == 1 ? match >> 8 & 255 : match & 255);
}

// Leaves the `most` first matches, sorted.
inline void keep_sample(std::vector<Match>& matches, size_t most) {
  if (matches.size() > most) {
    std::nth_element(matches.begin(), matches.begin() + static_cast<ptrdiff_t>(most), matches.end());
    matches.resize(most);
  }
  std::sort(matches.begin(), matches.end());
}

}  // namespace dragoman
