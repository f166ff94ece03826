// How a long call reports progress and learns that it should stop. Workers count with add(); the call's own thread
// calls poll() between pieces of work, which forwards to the caller's function and throws Cancelled when told to.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "base/errors.h"

namespace dragoman {

// Short steps of a loop, such as lines of a text, between two calls of Monitor::poll().
inline constexpr uint64_t poll_every = 4096;

class Monitor {
 public:
  // Receives work done so far and the total; returns false to cancel.
  using Callback = std::function<bool(uint64_t done, uint64_t total)>;

  Monitor() = default;
  explicit Monitor(Callback callback) : callback_(std::move(callback)) {}

  void start(uint64_t total) {
    total_ = total;
    done_ = 0;
  }
  void add(uint64_t amount) { done_.fetch_add(amount, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  // Only from the thread that made the call: the callback may run Python.
  void poll() {
    try {
      if (callback_ && !callback_(done_.load(std::memory_order_relaxed), total_)) cancel();
    } catch (...) {
      cancel();  // workers see no exception, only this
      throw;
    }
    if (cancelled()) throw Cancelled();
  }

 private:
  Callback callback_;
  uint64_t total_ = 0;
  std::atomic<uint64_t> done_{0};
  std::atomic<bool> cancelled_{false};
};

}  // namespace dragoman
