// A few threads that take many small steps together: starting threads for each would cost more than the steps.
#pragma once

#include <barrier>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace dragoman::nlm {

class Team {
 public:
  // The caller of run() is one of the threads; a team of one starts none.
  explicit Team(size_t threads)
      : size_(threads ? threads : 1), start_(static_cast<ptrdiff_t>(size_)), done_(static_cast<ptrdiff_t>(size_)) {
    for (size_t i = 1; i < size_; ++i)
      workers_.emplace_back([this, i] {
        for (;;) {
          start_.arrive_and_wait();
          if (!step_) return;
          (*step_)(i);
          done_.arrive_and_wait();
        }
      });
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    step_ = nullptr;
    if (!workers_.empty()) start_.arrive_and_wait();
    for (std::thread& each : workers_) each.join();
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
  size_t size_;
  std::barrier<> start_, done_;
  const std::function<void(size_t)>* step_ = nullptr;
  std::vector<std::thread> workers_;
};

}  // namespace dragoman::nlm
