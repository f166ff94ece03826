#include "rules/orientation.h"

#include <algorithm>
#include <cmath>

namespace dragoman::rules {
namespace {

enum : uint8_t { monotone, swapped, discontinuous };

bool linked(const AlignedSentence& sentence, uint32_t source, uint32_t target) {
  return std::binary_search(sentence.targets + sentence.source_links[source],
                            sentence.targets + sentence.source_links[source + 1], target);
}

// Which of the two source words beside a phrase a target word is linked to: `near` makes it monotone, `far` a swap.
// Positions outside the sentence link only to each other.
uint8_t orientation_in(const AlignedSentence& sentence, int64_t near, int64_t far, int64_t target, bool at_edge) {
  const auto is_inside = [&](int64_t source) {
    return source >= 0 && source < static_cast<int64_t>(sentence.source.size());
  };
  if (at_edge) return is_inside(near) ? discontinuous : monotone;
  const auto is_linked = [&](int64_t source) {
    return is_inside(source) && linked(sentence, static_cast<uint32_t>(source), static_cast<uint32_t>(target));
  };
  if (is_linked(near)) return monotone;
  return is_linked(far) ? swapped : discontinuous;
}

}  // namespace

Orientation orientation_of(const AlignedSentence& sentence, uint32_t begin, uint32_t end, const Span& target) {
  const int64_t before = int64_t{begin} - 1, after = end;
  return {orientation_in(sentence, before, after, int64_t{target.begin} - 1, target.begin == 0),
          orientation_in(sentence, after, before, target.end, target.end == sentence.target.size())};
}

std::array<float, orientation_count> orientation_log10_probs(std::span<const uint32_t> seen, uint32_t count) {
  std::array<float, orientation_count> probs;
  for (size_t i = 0; i < orientation_count; ++i)
    probs[i] = static_cast<float>(std::log10((0.5 + seen[i]) / (1.5 + count)));
  return probs;
}

}  // namespace dragoman::rules
