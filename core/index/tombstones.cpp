#include "index/tombstones.h"

#include <algorithm>

#include "index/segment.h"

namespace dragoman::index {

Tombstones::Tombstones(const Tombstones* before, const IndexedBitext& bitext, std::span<const Removal> removals) {
  if (before) *this = *before;
  for (const Removal& removal : removals) {
    bury(bitext, removal.sentence);
    const IndexedPair pair = read_pair(bitext, removal.sentence);
    links_.add(pair.source, pair.target, pair.links, removal.weight);
    if (removal.taught) ngrams_.add(pair.target);
  }
  sort();
}

Tombstones::Tombstones(const Tombstones* before, const IndexedBitext& bitext, std::span<const uint64_t> sentences) {
  if (before) {
    sentences_ = before->sentences_;
    ranges_ = before->ranges_;
    blocks_ = before->blocks_;
  }
  for (uint64_t sentence : sentences) bury(bitext, sentence);
  sort();
}

void Tombstones::bury(const IndexedBitext& bitext, uint64_t sentence) {
  blocks_.resize(bitext.source_size() / block_size / 64 + 1, 0);
  const TextSpan range = bitext.source_range(sentence);
  sentences_.push_back(sentence);
  ranges_.push_back(range);
  for (uint64_t block = range.begin / block_size; block <= range.end / block_size; ++block)
    blocks_[block >> 6] |= uint64_t{1} << (block & 63);
}

void Tombstones::sort() {
  std::sort(sentences_.begin(), sentences_.end());
  std::sort(ranges_.begin(), ranges_.end(), [](const TextSpan& a, const TextSpan& b) { return a.begin < b.begin; });
}

bool Tombstones::has(uint64_t sentence) const {
  return std::binary_search(sentences_.begin(), sentences_.end(), sentence);
}

bool Tombstones::search(uint64_t position) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), position,
                                      [](uint64_t at, const TextSpan& range) { return at < range.begin; });
  return after != ranges_.begin() && (after - 1)->contains(position);
}

}  // namespace dragoman::index
