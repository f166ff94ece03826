#include "base/process.h"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace dragoman {

int process_id() {
#if defined(__unix__) || defined(__APPLE__)
  return static_cast<int>(::getpid());
#else
  return 0;
#endif
}

void return_free_memory() {
#if defined(__GLIBC__)
  ::malloc_trim(0);
#endif
}

void return_large_blocks() {
#if defined(__GLIBC__)
  ::mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

}  // namespace dragoman
