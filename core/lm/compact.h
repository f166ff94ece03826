// Makes lm.bin, the compact form of a trie (see model_view.h), and says beforehand how large it will be.
#pragma once

#include <string>
#include <vector>

#include "base/monitor.h"
#include "lm/ngram_trie.h"

namespace dragoman::lm {

struct CompactOptions {
  // Bits of a quantised value, 2 to 16, or 0 for 32-bit floats.
  uint32_t prob_bits = 8;
  uint32_t backoff_bits = 8;
};

void check(const CompactOptions& options);

// The exact size of the file; linear in the n-grams, without building anything.
uint64_t compact_bytes(const NgramTrie& trie, const CompactOptions& options);

void write_compact(const NgramTrie& trie, const CompactOptions& options, const std::string& path, Monitor& monitor);
// The same bytes in memory.
std::vector<std::byte> make_compact(const NgramTrie& trie, const CompactOptions& options, Monitor& monitor);

}  // namespace dragoman::lm
