// The most probable beads of two documents: a dynamic program over pairs of positions, in a band, and how probable each
// of them is, by the sums of all ways before and after it. The band widens while the best beads touch its edge, or
// leave more sentences in a row alone than it reaches to either side.
//
// Time and one byte a cell grow with sentences times the width of the band; the width is bounded by max_band_cells.
#pragma once

#include <span>
#include <vector>

#include "align/alignment_model.h"
#include "align/bead.h"
#include "align/document_pair.h"
#include "base/monitor.h"

namespace dragoman::align {

struct BeadSearchOptions {
  // Sentences to either side of the diagonal, or of earlier beads, to begin with.
  uint32_t reach = 250;
  // Characters of the target for each of the source; 0 learns it from these two documents, of which a short one may
  // lack half.
  double length_ratio = 0;
  // The band stops widening before it has more cells.
  uint64_t max_band_cells = uint64_t{1} << 27;
};

// Beads that cover both documents in order. Without a lexicon, lengths and words that are spelled alike decide; with
// `earlier` beads of the same documents the search stays near them and learns from them what their beads are like.
// Throws InputError where earlier beads do not cover the documents.
std::vector<Bead> find_beads(const DocumentPair& pair, const AlignmentModel* lexicon, std::span<const Bead> earlier,
                             const BeadSearchOptions& options, Monitor& monitor);

}  // namespace dragoman::align
