// Units of work that the threads of a team take one after another: who takes which makes no difference to the result.
#pragma once

#include <atomic>
#include <cstddef>

#include "nlm/team.h"

namespace dragoman::nlm {

// Calls work(unit, thread) for every unit. It must not throw.
template <class Work>
void share(Team& team, size_t units, Work&& work) {
  std::atomic<size_t> next{0};
  team.run([&](size_t thread) {
    for (size_t unit; (unit = next.fetch_add(1, std::memory_order_relaxed)) < units;) work(unit, thread);
  });
}

}  // namespace dragoman::nlm
