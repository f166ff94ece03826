// What a user may demand of the search, in source positions. A zone is translated in one piece: nothing from outside
// comes in between. A wall is a place nothing is reordered across: within its zone, or the sentence, all that comes
// before it is translated before what comes after. (A span with a given translation needs nothing of the search: it is
// a word of its own with a rule of its own.)
#pragma once

#include <cstdint>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"

namespace dragoman::search {

struct Wall {
  uint32_t position;   // before this word
  uint32_t begin = 0;  // of the zone it stands in
  uint32_t end = UINT32_MAX;
  bool open = false;  // to a rule that covers the whole zone
};

struct Constraints {
  std::vector<Wall> walls;
  std::vector<Span> zones;  // nested or apart
  // Groups of words whose translations come out in the order of the words (numbers, say), unless one rule has seen
  // them in another. Positions rise.
  std::vector<std::vector<uint32_t>> ordered;

  bool empty() const { return walls.empty() && zones.empty() && ordered.empty(); }
  // Whether a rule may cover exactly [begin, end): it crosses no zone's edge, and no wall unless the wall's whole zone
  // lies inside (then in one of its gaps).
  bool allows(uint32_t begin, uint32_t end) const {
    for (const Wall& wall : walls) {
      const bool whole = wall.open || end - begin > wall.end - wall.begin;
      const bool beyond = begin <= wall.begin && wall.end <= end && whole;
      if (begin < wall.position && wall.position < end && !beyond) return false;
    }
    for (const Span& zone : zones) {
      const bool apart = end <= zone.begin || zone.end <= begin;
      const bool inside = zone.begin <= begin && end <= zone.end;
      const bool around = begin <= zone.begin && zone.end <= end;
      if (!apart && !inside && !around) return false;
    }
    return true;
  }
};

}  // namespace dragoman::search
