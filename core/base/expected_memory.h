// Memory that is about to be taken at once, as by threads that begin. Pagers (pager.h) look at other memory when a
// closed window is touched; what grows while nobody touches one would come on top of the limit.
#pragma once

#include <cstddef>

namespace dragoman {

// Pagers leave room for so many bytes beside what is taken already, for as long as it lives.
class ExpectedMemory {
 public:
  explicit ExpectedMemory(size_t bytes);
  ExpectedMemory(const ExpectedMemory&) = delete;
  ExpectedMemory& operator=(const ExpectedMemory&) = delete;
  ~ExpectedMemory();
};

}  // namespace dragoman
