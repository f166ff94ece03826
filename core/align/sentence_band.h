// The part of two documents' matrix that is searched: for each source position the target positions that it may stand
// beside. Both ends of a row never fall from one row to the next, and each row touches the next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/bead.h"
#include "base/interval.h"

namespace dragoman::align {

class SentenceBand {
 public:
  // Around the diagonal of the characters that each side has read so far, `reach` sentences to either side.
  static SentenceBand around_diagonal(std::span<const uint32_t> source_characters,
                                      std::span<const uint32_t> target_characters, uint32_t reach);
  // Around beads that cover documents of so many sentences.
  static SentenceBand around(std::span<const Bead> beads, uint32_t sources, uint32_t targets, uint32_t reach);

  // Positions lie between sentences, so there is one more than sentences.
  uint32_t rows() const { return static_cast<uint32_t>(rows_.size()); }
  const Span& row(uint32_t source) const { return rows_[source]; }
  // Where a row's cells begin among all cells.
  uint64_t offset(uint32_t source) const { return offsets_[source]; }
  uint64_t cells() const { return offsets_.back(); }
  uint32_t reach() const { return reach_; }
  // Whether beads run so near to an edge of the band that better ones may lie outside.
  bool squeezes(std::span<const Bead> beads) const;

 private:
  // Widens rows from the middle by the reach.
  SentenceBand(std::vector<Span> middle, uint32_t targets, uint32_t reach);

  std::vector<Span> rows_;
  std::vector<uint64_t> offsets_{0};
  uint32_t targets_;
  uint32_t reach_;
};

}  // namespace dragoman::align
