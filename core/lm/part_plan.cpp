#include "lm/part_plan.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/packed_array.h"
#include "lm/model_view.h"

namespace dragoman::lm {

namespace {

// Samples stand about this many unary bits apart: mostly in neighbouring lines.
constexpr uint64_t bits_per_sample = 160;

}  // namespace

ParentsShape ParentsShape::best(uint64_t nodes, uint64_t parents) {
  ParentsShape best;
  uint64_t best_bytes = std::numeric_limits<uint64_t>::max();
  for (uint32_t low_bits = 0; low_bits < 32 && (low_bits == 0 || parents >> low_bits > 0); ++low_bits) {
    ParentsShape shape;
    shape.low_bits = low_bits;
    shape.buckets = parents == 0 ? 0 : ((parents - 1) >> low_bits) + 1;
    shape.lines = (nodes + shape.buckets) / ParentsView::line_bits + 1;
    const uint64_t zeros = bits_per_sample * shape.buckets / (nodes + shape.buckets + 1);
    shape.sample_shift = std::max(bits_for(zeros), 4u) - 1;
    shape.samples = shape.buckets == 0 ? 2 : ((shape.buckets - 1) >> shape.sample_shift) + 2;
    shape.low_bytes = packed_bytes(nodes, low_bits);
    if (shape.bytes() < best_bytes) {
      best_bytes = shape.bytes();
      best = shape;
    }
  }
  return best;
}

std::vector<PartPlan> plan_parts(const LabelLengths& lengths, uint64_t parents) {
  constexpr size_t longest = std::tuple_size_v<LabelLengths> - 1;
  uint32_t needed = 1;
  for (uint32_t bits = 1; bits <= longest; ++bits)
    if (lengths[bits] > 0) needed = bits;
  // What every part costs besides its nodes: sections of its own in the file.
  constexpr uint64_t part_bytes = 512;

  struct Choice {
    uint64_t bytes = std::numeric_limits<uint64_t>::max();
    uint32_t from = 0;
  };
  // best[p][b]: p parts hold all labels of at most b bits.
  std::vector<std::array<Choice, longest + 1>> best(max_parts + 1);
  for (uint32_t bits = 1; bits <= needed; ++bits) {
    uint64_t count = 0;
    for (uint32_t from = bits; from-- > 0;) {
      count += lengths[from + 1];
      const uint64_t whole = count + (from == 0 ? lengths[0] : 0);
      if (whole == 0 && bits != needed) continue;
      const uint64_t cost = part_bytes + packed_bytes(whole + PartView::tops_for(whole), bits) +
                            ParentsShape::best(whole, parents).bytes();
      for (size_t parts = 1; parts <= max_parts; ++parts) {
        const uint64_t before =
            from == 0 ? (parts == 1 ? 0 : std::numeric_limits<uint64_t>::max()) : best[parts - 1][from].bytes;
        if (before == std::numeric_limits<uint64_t>::max()) continue;
        if (before + cost < best[parts][bits].bytes) best[parts][bits] = {before + cost, from};
      }
    }
  }
  size_t parts = 1;
  for (size_t p = 2; p <= max_parts; ++p)
    if (best[p][needed].bytes < best[parts][needed].bytes) parts = p;
  std::vector<PartPlan> plan(parts);
  uint32_t bits = needed;
  for (size_t p = parts; p > 0; --p) {
    const uint32_t from = best[p][bits].from;
    uint64_t count = from == 0 ? lengths[0] : 0;
    for (uint32_t b = from + 1; b <= bits; ++b) count += lengths[b];
    plan[p - 1] = {bits, count};
    bits = from;
  }
  return plan;
}

}  // namespace dragoman::lm
