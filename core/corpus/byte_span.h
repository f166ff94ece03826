// A stretch of a text, in bytes.
#pragma once

#include <cstdint>

namespace dragoman {

struct ByteSpan {
  uint64_t begin;
  uint64_t end;
  bool operator==(const ByteSpan&) const = default;
};

}  // namespace dragoman
