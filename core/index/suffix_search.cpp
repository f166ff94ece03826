#include "index/suffix_search.h"

#include <algorithm>

namespace dragoman::index {

TextSpan narrow(const IndexedBitext& bitext, TextSpan within, uint32_t depth, WordId wanted) {
  auto bound = [&](uint64_t low, uint64_t high, bool upper) {
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      const WordId word = bitext.source_or_separator(bitext.suffix(middle) + depth);
      if (word < wanted || (upper && word == wanted))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  const uint64_t begin = bound(within.begin, within.end, false);
  return {begin, bound(begin, within.end, true)};
}

void sample_ranks(const IndexedBitext& bitext, TextSpan ranks, const Exclusion& excluded, size_t most,
                  std::vector<Match>& sample) {
  sample.clear();
  sample.reserve(std::min<uint64_t>(ranks.size(), 2 * most));
  uint64_t limit = UINT64_MAX;
  for (uint64_t rank = ranks.begin; rank < ranks.end; ++rank) {
    const uint64_t begin = bitext.suffix(rank);
    if (begin >= limit || excluded.contains(begin)) continue;
    sample.push_back(make_match(begin));
    if (sample.size() < 2 * most) continue;
    std::nth_element(sample.begin(), sample.begin() + static_cast<ptrdiff_t>(most), sample.end());
    limit = match_begin(sample[most]);
    sample.resize(most);
  }
  keep_sample(sample, most);
}

}  // namespace dragoman::index
