// From two texts and their links to the files of an index.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "index/bitext_builder.h"
#include "index/lexicon.h"
#include "text/id_text.h"
#include "text/stored_links.h"

namespace dragoman::index {

struct IndexOptions {
  uint64_t sample_seed = 1;
};

struct IndexCounts {
  uint64_t sentences, source_tokens, target_tokens, links;
};

// The two sides of a text and what links them; `chosen` are the pairs to index, rising, where it is not all of them.
struct IndexedText {
  const IdText& source;
  const IdText& target;
  const StoredLinks& links;
  std::optional<std::vector<uint64_t>> chosen = std::nullopt;
};

// Writes vocab.bin, bitext.bin and lexicon.bin into an existing directory. The number of a pair, from 0 among those
// chosen, becomes its stable id; the vocabularies are those of the chosen pairs. Throws InputError for numbers of pairs
// that differ, and links that point outside their sentences.
IndexCounts build_index(const std::string& directory, const IndexedText& text, const IndexOptions& options,
                        Monitor& monitor, ArrayMemory* memory = array_memory());

// Sorts the suffixes and writes bitext.bin and lexicon.bin.
void write_index(const std::string& directory, BitextBuilder& bitext, LexiconBuilder& lexicon, Monitor& monitor);

}  // namespace dragoman::index
