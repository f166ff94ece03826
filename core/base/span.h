// Half-open: words begin up to but not including end.
#pragma once

#include <cstdint>

namespace dragoman {

struct Span {
  uint32_t begin, end;
  friend bool operator==(const Span&, const Span&) = default;
};

}  // namespace dragoman
