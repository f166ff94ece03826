// How the labels of a level are divided into parts by their length in bits, so that the level is smallest.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dragoman::lm {

// How many labels of a level need each number of bits; zero needs none.
using LabelLengths = std::array<uint64_t, 33>;

// Sizes of the Elias-Fano sequence of a part's parents.
struct ParentsShape {
  uint32_t low_bits = 0;
  uint64_t buckets = 0;
  uint64_t lines = 0;
  uint64_t samples = 0;
  uint64_t low_bytes = 0;
  uint32_t sample_shift = 0;

  static ParentsShape best(uint64_t nodes, uint64_t parents);
  uint64_t bytes() const { return lines * 64 + samples * 4 + low_bytes; }
};

struct PartPlan {
  uint32_t label_bits;  // labels of at most this many bits that no earlier part takes
  uint64_t count;
};

// At most max_parts parts; a dynamic programme over the lengths. At least one part, even for no nodes.
std::vector<PartPlan> plan_parts(const LabelLengths& lengths, uint64_t parents);

}  // namespace dragoman::lm
