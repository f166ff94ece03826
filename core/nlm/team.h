// A few threads that take many small steps together: starting threads for each would cost more than the steps.
#pragma once

#include <barrier>
#include <cstddef>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "base/start_thread.h"

namespace dragoman::nlm {

class Team {
 public:
  // The caller of run() is one of the threads; a team of one starts none. Where the system grants fewer, the team is
  // smaller.
  explicit Team(size_t threads)
      : size_(threads ? threads : 1), start_(static_cast<ptrdiff_t>(size_)), done_(static_cast<ptrdiff_t>(size_)) {
    workers_.reserve(size_ - 1);
    for (size_t i = 1; i < size_; ++i) {
      std::thread worker;
      if (!start_thread(worker, [this, i] { work(i); })) break;
      workers_.push_back(std::move(worker));
    }
    for (; size_ > workers_.size() + 1; --size_) {
      start_.arrive_and_drop();
      done_.arrive_and_drop();
    }
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    step_ = nullptr;
    if (!workers_.empty()) start_.arrive_and_wait();
    for (std::thread& worker : workers_) worker.join();
  }

  size_t size() const { return size_; }
  // Calls step(thread) for every thread number and returns when all are done. Steps must not throw.
  void run(const std::function<void(size_t thread)>& step) {
    if (workers_.empty()) return step(0);
    step_ = &step;
    start_.arrive_and_wait();
    step(0);
    done_.arrive_and_wait();
  }

 private:
  void work(size_t thread) {
    for (;;) {
      start_.arrive_and_wait();
      if (!step_) return;
      (*step_)(thread);
      done_.arrive_and_wait();
    }
  }

  size_t size_;
  std::barrier<> start_, done_;
  const std::function<void(size_t)>* step_ = nullptr;
  std::vector<std::thread> workers_;
};

}  // namespace dragoman::nlm
