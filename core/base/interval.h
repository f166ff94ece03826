// Half-open intervals [begin, end): of words, of bytes, of positions in a text, of ranks in a suffix array.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace dragoman {

template <class Number>
struct Interval {
  Number begin = 0;
  Number end = 0;

  // What no interval lies inside: `include` makes the first one of it.
  static constexpr Interval nothing() { return {std::numeric_limits<Number>::max(), 0}; }

  constexpr bool empty() const { return begin >= end; }
  constexpr Number size() const { return end - begin; }
  constexpr bool contains(Number at) const { return at >= begin && at < end; }
  constexpr bool contains(const Interval& other) const { return begin <= other.begin && other.end <= end; }
  constexpr Interval shifted(Number by) const { return {begin + by, end + by}; }
  constexpr void include(const Interval& other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

using Span = Interval<uint32_t>;      // words of a sentence
using TextSpan = Interval<uint64_t>;  // bytes of a text, positions in a bitext, ranks in its suffix array

}  // namespace dragoman
