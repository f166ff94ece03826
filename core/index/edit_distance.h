// How many words have to be put in, taken out or exchanged to make one sentence of another (Levenshtein).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/link.h"
#include "base/namespaces.h"
#include "text/vocabulary.h"

namespace dragoman::index {

// Keeps its memory from call to call.
class EditDistance {
 public:
  // The distance, or some number above `most` if it is above that. Takes time for `most` words to either side of each.
  uint64_t distance(std::span<const WordId> left, std::span<const WordId> right, uint64_t most);
  // Words that one of the shortest ways leaves as they are, by their positions on both sides.
  Links kept(std::span<const WordId> left, std::span<const WordId> right);

 private:
  std::vector<uint32_t> row_, table_;
};

}  // namespace dragoman::index
