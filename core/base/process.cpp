#include "base/process.h"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace dragoman {

int process_id() {
#if defined(__unix__) || defined(__APPLE__)
  return static_cast<int>(::getpid());
#else
  return 0;
#endif
}

}  // namespace dragoman
