// What one sentence's search may still spend. Memory is shared out evenly over the cells that are still to come, so
// the search narrows in time and never runs dry; after the deadline it takes only the first hypothesis of each.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/namespaces.h"
#include "search/search_task.h"

namespace dragoman::search {

class Limits {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Limits(const SearchTask& task)
      : interrupt_(task.interrupt),
        options_(task.options),
        arena_(task.arena),
        models_(task.scorer.models()),
        start_(Clock::now()),
        seconds_(task.options.max_seconds) {}

  bool late() {
    if (seconds_ > 0 && !late_) late_ = std::chrono::duration<double>(Clock::now() - start_).count() > seconds_;
    return late_;
  }
  // Whether time or memory made the search narrower than asked for.
  bool narrowed() const { return late_ || narrowed_; }
  // How many hypotheses to take for a cell, given how many cells are left and how much each hypothesis takes. Throws if
  // the search is to stop.
  uint32_t pops(size_t cells_left, size_t bytes_per_pop) {
    check(interrupt_);
    if (late()) return 1;
    const size_t used = arena_.used() + models_.bytes();
    const size_t left = options_.scratch_bytes > used ? options_.scratch_bytes - used : 0;
    const size_t fair = left / (std::max<size_t>(cells_left, 1) * bytes_per_pop);
    // Few cells are full, so a cell may take more than its share.
    const size_t most = std::max<size_t>(1, fair * 2);
    if (most < options_.pop_limit) narrowed_ = true;
    return static_cast<uint32_t>(std::min<size_t>(options_.pop_limit, most));
  }

 private:
  Interrupt* interrupt_;
  const DecodeOptions& options_;
  const Arena& arena_;
  const ModelSessions& models_;
  Clock::time_point start_;
  double seconds_;
  bool late_ = false;
  bool narrowed_ = false;
};

}  // namespace dragoman::search
