// A piece of a line that the models see as one word, and how it stands beside its neighbours.
#pragma once

#include <cstdint>

#include "base/namespaces.h"
#include "text/token_text.h"

namespace dragoman::text {

struct Token {
  uint64_t begin;  // bytes into the line
  uint64_t end;
  bool is_protected;  // a tag, placeholder or address: keeps its case in the model form
  bool joined;        // nothing but its neighbour before it in the line
  Mark before = Mark::none;
  Mark after = Mark::none;
};

}  // namespace dragoman::text
