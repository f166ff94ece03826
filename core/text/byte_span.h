// A stretch of a text, in bytes.
#pragma once

#include <cstdint>

#include "base/namespaces.h"

namespace dragoman::text {

struct ByteSpan {
  uint64_t begin;
  uint64_t end;
  bool operator==(const ByteSpan&) const = default;
};

}  // namespace dragoman::text
