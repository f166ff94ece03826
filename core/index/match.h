// A match of a pattern in the source text in one word: where its first phrase begins, and how much later its second
// and third phrase do. Because sentences lie in sample order, the numeric order of the matches in one segment of an
// index is their sampling order. The topmost byte names the segment; in that of the trained bitext it is 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/namespaces.h"

namespace dragoman::index {

using Match = uint64_t;

inline Match make_match(uint64_t first, uint64_t second_after = 0, uint64_t third_after = 0) {
  return first << 16 | second_after << 8 | third_after;
}
// Segment and position in its text together; in segment 0, and before segments are told apart, just the position.
inline uint64_t match_begin(Match match) { return match >> 16; }

inline constexpr uint32_t max_segments = 256;
inline constexpr uint32_t segment_shift = 40;  // in a position, or in the number of a sentence
inline constexpr uint64_t place_mask = (uint64_t{1} << segment_shift) - 1;
inline Match in_segment(Match match, uint32_t segment) { return match | uint64_t{segment} << (segment_shift + 16); }
inline uint32_t match_segment(Match match) { return static_cast<uint32_t>(match >> (segment_shift + 16)); }
inline uint64_t match_position(Match match) { return match >> 16 & place_mask; }

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
  if (!std::is_sorted(matches.begin(), matches.end())) std::sort(matches.begin(), matches.end());
}

}  // namespace dragoman::index
