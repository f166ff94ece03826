// One index again: the sentences that a snapshot still has, from all its segments, written as if the model had been
// built from them, with their links and stable ids. Nothing of what was removed is left: words that no sentence has any
// more leave the vocabulary. Corrections that weigh more than other text go to the front, where samples begin.
#pragma once

#include <string>
#include <vector>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "index/index_builder.h"
#include "index/snapshot.h"

namespace dragoman::index {

struct Compacted {
  IndexCounts counts;
  uint64_t corrections;                               // sentences at the front
  std::vector<std::string> gone_source, gone_target;  // words of the old vocabulary that no sentence has any more
};

// Writes vocab.bin, with the casing that old_vocabulary holds, bitext.bin and lexicon.bin into a directory.
Compacted compact_index(const Snapshot& snapshot, const Container& old_vocabulary, const std::string& directory,
                        Monitor& monitor);

}  // namespace dragoman::index
