// Contiguous phrases in the suffix array of one text (thesis 3.2): the suffixes that begin with a phrase are an
// interval, found by binary search inside that of the phrase without its last word. Positions are in sample order, so
// the sample of a phrase is the smallest positions of its interval.
#pragma once

#include <cstdint>
#include <vector>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/match.h"
#include "index/tombstones.h"

namespace dragoman::index {

// The suffixes of an interval, which agree in `depth` words, that go on with a word.
TextSpan narrow(const IndexedBitext& bitext, TextSpan within, uint32_t depth, WordId word);

// The first `most` positions of an interval that are not excluded, sorted. Linear in the interval.
void sample_ranks(const IndexedBitext& bitext, TextSpan ranks, const Exclusion& excluded, size_t most,
                  std::vector<Match>& sample);

}  // namespace dragoman::index
