#include "rules/front_spans.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "index/aligned_sentence.h"

namespace dragoman::rules {
namespace {

// Who looks around a match may read so far past the end: a match has two offsets of a byte each.
constexpr uint64_t read_past_end = 1024;

}  // namespace

FrontSpans::FrontSpans(const IndexedBitext& bitext, uint64_t size)
    : size_(size), from_(size + read_past_end), to_(size + read_past_end) {
  SentenceReader reader;
  for (uint64_t number = 0; number < bitext.sentences(); ++number) {
    const TextSpan range = bitext.source_range(number);
    if (range.end > size) break;
    const AlignedSentence sentence = reader.read(bitext, number);
    const auto length = static_cast<uint32_t>(range.size());
    uint16_t *from = from_.data() + range.begin, *to = to_.data() + range.begin;
    for (uint32_t begin = 0; begin < length; ++begin) {
      if (!sentence.aligned(begin)) continue;
      const uint32_t limit = std::min(length, begin + widest);
      Span target = sentence.project(begin);
      // No branches but one: which spans fit is not to be foretold. The target side only grows.
      uint32_t fits = 0;
      for (uint32_t end = begin + 1; target.size() <= widest; ++end) {
        const bool fit = sentence.aligned(end - 1) & sentence.consistent(begin, end, target);
        fits |= uint32_t{fit} << (end - begin - 1);
        to[end] |= static_cast<uint16_t>(uint32_t{fit} << (end - begin - 1));
        if (end == limit) break;
        target.include(sentence.project(end));
      }
      from[begin] = static_cast<uint16_t>(fits);
    }
  }
}

// Whether spans around a match whose gaps fit do so.
inline bool FrontSpans::gives(const PatternNode& pattern, Match match, uint32_t wide_enough) const {
  const uint32_t last = pattern.phrase_count - 1u;
  const uint64_t first = match_begin(match), end = first + match_offset(match, last) + pattern.lengths[last];
  const auto width = static_cast<uint32_t>(end - first);
  if (width > widest) return true;
  // Gaps at the edges, by their width, and the spans they make together with the match.
  const uint32_t right = (pattern.variants >> gap_right & 1) != 0 ? from_[end] & wide_enough : 0;
  const uint32_t left = (pattern.variants >> gap_left & 1) != 0 ? to_[first] & wide_enough : 0;
  if (((from_[first] >> (width - 1) & 1u) | (right & from_[first] >> width) | (left & to_[end] >> width)) != 0)
    return true;
  if (right == 0 || (pattern.variants >> gap_both & 1) == 0) return false;
  for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
    const auto gap = static_cast<uint32_t>(std::countr_zero(rest)) + 1;
    if ((right & from_[first - gap] >> (width + gap)) != 0) return true;
  }
  return false;
}

void FrontSpans::find_giving(const PatternNode& pattern, std::span<const Match> sample, const ExtractOptions& options,
                             std::vector<uint32_t>& numbers) const {
  numbers.resize(sample.size());
  if (pattern.contiguous() && options.loose_phrases) {
    std::iota(numbers.begin(), numbers.end(), 0);
    return;
  }
  // First those whose gaps fit. No branches on that: most fail, and which is not to be foretold.
  const auto bit_of = [&](uint64_t begin, uint64_t end) {
    const uint64_t width = end - begin - 1;
    return width < widest ? from_[begin] >> width & 1u : 0u;
  };
  size_t count = 0;
  for (size_t number = 0; number < sample.size(); ++number) {
    numbers[count] = static_cast<uint32_t>(number);
    const uint64_t first = match_begin(sample[number]);
    uint32_t fits = 1;
    if (pattern.phrase_count > 1 && first < size_) {
      const uint64_t second = first + match_offset(sample[number], 1);
      fits = bit_of(first + pattern.lengths[0], second);
      if (pattern.phrase_count > 2)
        fits &= bit_of(second + pattern.lengths[1], first + match_offset(sample[number], 2));
    }
    count += fits;
  }
  const uint32_t wide_enough = ~uint32_t{0} << std::min(options.min_gap_size - 1, widest);
  size_t giving = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t number = numbers[i];
    numbers[giving] = number;
    giving += match_begin(sample[number]) >= size_ || gives(pattern, sample[number], wide_enough);
  }
  numbers.resize(giving);
}

}  // namespace dragoman::rules
