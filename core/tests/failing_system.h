// A system that refuses: memory at the n-th request of a thread, or every thread.
#pragma once

#include <cstdint>

#if defined(__GLIBC__)
#include <pthread.h>
#endif

namespace dragoman::tests {

// Requests of this thread until one is refused; negative: none is.
inline thread_local int64_t requests_left = -1;

class FailingMemory {
 public:
  explicit FailingMemory(int64_t requests) { requests_left = requests; }
  ~FailingMemory() { requests_left = -1; }
  FailingMemory(const FailingMemory&) = delete;
  FailingMemory& operator=(const FailingMemory&) = delete;
};

#if defined(__GLIBC__)
// No thread can be had while this lives: by default each wants a stack larger than all memory there could be.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, size_t{1} << 48);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_;
};
#endif

}  // namespace dragoman::tests
