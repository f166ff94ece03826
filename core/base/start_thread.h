// A thread that may be had or not: the system grants only so many, and what they do must then be done without.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

namespace dragoman {

// Whether `thread`, which must not be running, runs `work` now.
template <class Work>
bool start_thread(std::thread& thread, Work&& work) {
  try {
    thread = std::thread(std::forward<Work>(work));
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

}  // namespace dragoman
