// From three texts to the files of an index: tokenized source and target sentences, one per line, and their links as
// Pharaoh pairs `0-0 1-2`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "index/bitext_builder.h"
#include "index/lexicon.h"

namespace dragoman::index {

struct IndexOptions {
  uint64_t sample_seed = 1;
};

struct IndexCounts {
  uint64_t sentences, source_tokens, target_tokens, links;
};

// Writes vocab.bin, bitext.bin and lexicon.bin into an existing directory. The line number of a pair, from 0, becomes
// its stable id. Throws InputError for text that is not UTF-8, line counts that differ, and links that point outside
// their sentences.
IndexCounts build_index(const std::string& directory, std::string_view source, std::string_view target,
                        std::string_view links, const IndexOptions& options, Monitor& monitor);

// Sorts the suffixes and writes bitext.bin and lexicon.bin.
void write_index(const std::string& directory, BitextBuilder& bitext, LexiconBuilder& lexicon, Monitor& monitor);

}  // namespace dragoman::index
