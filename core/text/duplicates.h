// Pairs that occurred before, in whole or in part, known by 64-bit hashes (XXH64). They take 11 to 21 bytes per
// distinct pair and kind of duplicate; for ten million pairs the chance that any two collide is 3 in a million.
#pragma once

#include <string_view>

#include "base/hash_set.h"
#include "base/namespaces.h"
#include "text/clean_rules.h"

namespace dragoman::text {

// What a pair is known by.
struct PairHashes {
  uint64_t pair = 0, folded = 0, source = 0, target = 0;

  PairHashes() = default;
  PairHashes(std::string_view source, const SideFacts& source_facts, std::string_view target,
             const SideFacts& target_facts);
};

class Duplicates {
 public:
  explicit Duplicates(const CleanOptions& options) : options_(options) {}

  // The rule that drops the pair because of those that were added before; it counts from now on in any case.
  CleanRule add(const PairHashes& hashes);

 private:
  CleanOptions options_;
  HashSet pairs_, folded_pairs_, sources_, targets_;
};

}  // namespace dragoman::text
