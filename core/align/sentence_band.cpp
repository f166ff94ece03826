#include "align/sentence_band.h"

#include <algorithm>

namespace dragoman::align {

SentenceBand SentenceBand::around_diagonal(std::span<const uint32_t> source_characters,
                                           std::span<const uint32_t> target_characters, uint32_t reach) {
  // Every sentence counts for a character more than it has, so that empty ones move on too.
  auto total = [](std::span<const uint32_t> side) {
    uint64_t sum = side.size();
    for (uint32_t characters : side) sum += characters;
    return static_cast<double>(std::max<uint64_t>(sum, 1));
  };
  const double source_total = total(source_characters), target_total = total(target_characters);
  const auto targets = static_cast<uint32_t>(target_characters.size());
  std::vector<Span> middle;
  uint32_t at = 0;
  double source_read = 0, target_read = 0;
  for (uint32_t characters : source_characters) {
    const uint32_t begin = at;
    source_read += (characters + 1) / source_total;
    while (at < targets && target_read + (target_characters[at] + 1) / target_total <= source_read)
      target_read += (target_characters[at++] + 1) / target_total;
    middle.push_back({begin, at + 1});
  }
  middle.push_back({at, targets + 1});
  return {std::move(middle), targets, reach};
}

SentenceBand SentenceBand::around(std::span<const Bead> beads, uint32_t sources, uint32_t targets, uint32_t reach) {
  std::vector<Span> middle(sources + 1, Span::nothing());
  for (const Bead& bead : beads)
    for (uint32_t at = bead.source.begin; at <= bead.source.end; ++at)
      middle[at].include({bead.target.begin, bead.target.end + 1});
  return {std::move(middle), targets, reach};
}

SentenceBand::SentenceBand(std::vector<Span> middle, uint32_t targets, uint32_t reach)
    : rows_(std::move(middle)), targets_(targets), reach_(reach) {
  rows_.front().begin = 0;
  rows_.back().end = targets + 1;
  for (Span& row : rows_) {
    row.begin = row.begin > reach ? row.begin - reach : 0;
    row.end = static_cast<uint32_t>(std::min<uint64_t>(uint64_t{row.end} + reach, uint64_t{targets} + 1));
    offsets_.push_back(offsets_.back() + row.size());
  }
}

bool SentenceBand::squeezes(std::span<const Bead> beads) const {
  const uint32_t near = std::min(reach_, bead_sentences + 1);
  for (const Bead& bead : beads) {
    const Span& row = rows_[bead.source.begin];
    if (row.begin > 0 && bead.target.begin < row.begin + near) return true;
    if (row.end <= targets_ && bead.target.begin + near >= row.end) return true;
  }
  return false;
}

}  // namespace dragoman::align
