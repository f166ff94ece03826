// What a user may demand of the search, in source positions. A wall is a place nothing is reordered across: all that
// comes before it is translated before what comes after. A zone is translated in one piece: nothing from outside
// comes in between. (A span with a given translation needs nothing of the search: it is a word of its own with a rule
// of its own.)
#pragma once

#include <cstdint>
#include <vector>

namespace dragoman::decode {

struct Zone {
  uint32_t begin, end;
};

struct Constraints {
  std::vector<uint32_t> walls;  // before this position
  std::vector<Zone> zones;      // nested or apart

  bool empty() const { return walls.empty() && zones.empty(); }
  // Whether a unit may cover exactly [begin, end): it crosses no wall and no zone's edge.
  bool allows(uint32_t begin, uint32_t end) const {
    for (uint32_t wall : walls)
      if (begin < wall && wall < end) return false;
    for (const Zone& zone : zones) {
      const bool apart = end <= zone.begin || zone.end <= begin;
      const bool inside = zone.begin <= begin && end <= zone.end;
      const bool around = begin <= zone.begin && zone.end <= end;
      if (!apart && !inside && !around) return false;
    }
    return true;
  }
};

}  // namespace dragoman::decode
