// How work inside one shard learns that it should stop: it asks as often as it likes. On the thread that made the call
// this also polls the monitor, a few times a second; on others it looks at a flag.
#pragma once

#include <chrono>
#include <thread>

#include "base/monitor.h"

namespace dragoman {

class Interrupt {
 public:
  using Clock = std::chrono::steady_clock;

  // To be made by the thread that made the call.
  explicit Interrupt(Monitor& monitor, Clock::duration interval = std::chrono::milliseconds(50))
      : monitor_(monitor), interval_(interval), caller_(std::this_thread::get_id()), next_(Clock::now() + interval) {}

  // Throws Cancelled, or what the monitor's callback threw.
  void check() {
    if (monitor_.cancelled()) throw Cancelled();
    if (std::this_thread::get_id() != caller_ || Clock::now() < next_) return;
    monitor_.poll();
    next_ = Clock::now() + interval_;
  }

 private:
  Monitor& monitor_;
  const Clock::duration interval_;
  const std::thread::id caller_;
  Clock::time_point next_;  // the caller's alone
};

// For work that nobody may be waiting to stop.
inline void check(Interrupt* interrupt) {
  if (interrupt) interrupt->check();
}

}  // namespace dragoman
