// A few threads that take many small steps together: starting threads for each would cost more than the steps. Whoever
// waits looks for a moment before it sleeps, because most waits are shorter than it takes to be woken.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
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
  explicit Team(size_t threads) {
    for (size_t i = 1; i < threads; ++i) {
      std::thread worker;
      if (!start_thread(worker, [this, i] { work(i); })) break;
      workers_.push_back(std::move(worker));
    }
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    step_ = nullptr;
    begin();
    for (std::thread& worker : workers_) worker.join();
  }

  size_t size() const { return workers_.size() + 1; }
  // Calls step(thread) for every thread number and returns when all are done. Steps must not throw.
  void run(const std::function<void(size_t thread)>& step) {
    if (workers_.empty()) return step(0);
    step_ = &step;
    at_work_.store(static_cast<uint32_t>(workers_.size()), std::memory_order_relaxed);
    begin();
    step(0);
    for (uint32_t left; (left = at_work_.load(std::memory_order_acquire));) wait_while(at_work_, left);
  }

 private:
  static constexpr uint32_t looks = 400;

  void begin() {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  static void wait_while(const std::atomic<uint32_t>& number, uint32_t value) {
    for (uint32_t look = 0; look < looks; ++look) {
      if (number.load(std::memory_order_acquire) != value) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    number.wait(value, std::memory_order_acquire);
  }
  void work(size_t thread) {
    for (uint32_t round = 0;; ++round) {
      wait_while(round_, round);
      if (!step_) return;
      (*step_)(thread);
      if (at_work_.fetch_sub(1, std::memory_order_acq_rel) == 1) at_work_.notify_one();
    }
  }

  std::atomic<uint32_t> round_{0}, at_work_{0};
  const std::function<void(size_t)>* step_ = nullptr;
  std::vector<std::thread> workers_;
};

}  // namespace dragoman::nlm
