// Which source words a phrase-based hypothesis has translated. Reordering is local, so this is the first word that is
// not, and a bit for each of the 64 words from there on: bit 0 is never set.
#pragma once

#include <bit>
#include <cstdint>

#include "base/namespaces.h"

namespace dragoman::search {

struct Coverage {
  // A phrase that leaves a hole behind must end within so many words of it.
  static constexpr uint32_t max_distortion = 60;

  uint32_t first_gap = 0;
  uint64_t beyond = 0;

  friend bool operator==(const Coverage&, const Coverage&) = default;

  // Whether [begin, end) is free; begin may not be before the first gap.
  bool is_free(uint32_t begin, uint32_t end) const { return (beyond & mask(begin, end)) == 0; }
  bool covers(uint32_t position) const {
    return position < first_gap || (position - first_gap < 64 && (beyond >> (position - first_gap) & 1));
  }
  Coverage with(uint32_t begin, uint32_t end) const {
    if (begin > first_gap) return {first_gap, beyond | mask(begin, end)};
    // The hole closes: everything moves up to the next one.
    Coverage next{end, end - first_gap >= 64 ? 0 : beyond >> (end - first_gap)};
    const int run = std::countr_one(next.beyond);
    next.first_gap += static_cast<uint32_t>(run);
    next.beyond = run >= 64 ? 0 : next.beyond >> run;
    return next;
  }

 private:
  uint64_t mask(uint32_t begin, uint32_t end) const {
    const uint32_t from = begin - first_gap, to = end - first_gap;
    if (from >= 64) return 0;
    const uint64_t up_to = to >= 64 ? ~uint64_t{0} : (uint64_t{1} << to) - 1;
    return up_to & ~((uint64_t{1} << from) - 1);
  }
};

}  // namespace dragoman::search
