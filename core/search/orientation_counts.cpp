#include "search/orientation_counts.h"

#include <algorithm>
#include <cmath>

namespace dragoman::search {
namespace {

bool linked(const AlignedSentence& sentence, uint32_t source, uint32_t target) {
  return std::binary_search(sentence.targets + sentence.source_links[source],
                            sentence.targets + sentence.source_links[source + 1], target);
}

// Which of the two source words beside a phrase a target word is linked to: `near` makes it monotone, `far` a swap.
// Positions outside the sentence link only to each other.
size_t orientation_in(const AlignedSentence& sentence, int64_t near, int64_t far, int64_t target, bool at_edge) {
  if (at_edge) return near < 0 || near >= static_cast<int64_t>(sentence.source.size()) ? 0 : 2;
  auto is_linked = [&](int64_t source) {
    return source >= 0 && source < static_cast<int64_t>(sentence.source.size()) &&
           linked(sentence, static_cast<uint32_t>(source), static_cast<uint32_t>(target));
  };
  if (is_linked(near)) return 0;
  return is_linked(far) ? 1 : 2;
}

}  // namespace

std::array<float, orientation_count> OrientationCounts::log10_probs(std::span<const Match> sample,
                                                                    std::span<const uint32_t> matches,
                                                                    uint32_t length) {
  std::array<double, orientation_count> counts;
  counts.fill(0.5);
  double total = 1.5;
  for (uint32_t match : matches) {
    const SentencePlace place = snapshot_.place(sample[match]);
    const AlignedSentence sentence = reader_.read(snapshot_.bitext_of(place), Snapshot::number_of(place));
    const double weight = snapshot_.weight_of(place);
    total += weight;
    const uint32_t begin = static_cast<uint32_t>(match_position(sample[match]) - sentence.source.begin);
    const Span target = sentence.project(begin, begin + length);
    const int64_t before = int64_t{begin} - 1, after = int64_t{begin} + length;
    counts[orientation_in(sentence, before, after, int64_t{target.begin} - 1, target.begin == 0)] += weight;
    counts[3 + orientation_in(sentence, after, before, target.end, target.end == sentence.target.size())] += weight;
  }
  std::array<float, orientation_count> probs;
  for (size_t i = 0; i < orientation_count; ++i) probs[i] = static_cast<float>(std::log10(counts[i] / total));
  return probs;
}

}  // namespace dragoman::search
