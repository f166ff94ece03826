// Memory that will be wanted soon: stretches that kernels ask for, a few lines at a time, while they compute something
// else. Asked for all at once, it is waited for, because a processor has few places for what is on its way; spread out
// over products of what is near, it arrives meanwhile. It goes to the second-level cache: the first is smaller than one
// large class, and its places are the fewest.
#pragma once

#include <cstddef>
#include <vector>

namespace dragoman::nlm {

struct ReadAhead {
  static constexpr size_t line = 64;
  static constexpr size_t step = 4 * line;  // bytes asked for at once

  struct Stretch {
    const std::byte *begin, *end;
  };
  std::vector<Stretch> stretches;
  size_t next = 0;  // stretch
  Stretch now{};    // what is left of the one in hand

  void add(const std::byte* from, size_t bytes) { stretches.push_back({from, from + bytes}); }
  void clear() {
    stretches.clear();
    next = 0;
    now = {};
  }
};

}  // namespace dragoman::nlm
