// The samples of frequent patterns, found once when the index is built (frequent.bin, optional): of contiguous phrases
// above a frequency, of uXv over the K most frequent phrases, and of uXvXw over fewer of them. Without the file the
// same samples are found by searching. Lists are cut to the sample size of the builder, so an entry answers for every
// max_samples up to that, for the span and gap limits it was made with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/container.h"
#include "base/namespaces.h"
#include "base/packed_array.h"
#include "index/match.h"
#include "rules/options.h"
#include "text/vocabulary.h"

namespace dragoman::index {

class Frequent {
 public:
  static constexpr std::string_view kind = "frequent";

  explicit Frequent(const Container& container);

  uint64_t patterns() const { return patterns_; }
  // Whether the samples hold for these options.
  bool serves(const ExtractOptions& options) const;

  struct Entry {
    uint64_t begin, end;  // into the matches
    bool complete;        // these are all the matches there are
  };
  // Symbols with 0 for a gap.
  std::optional<Entry> find(std::span<const WordId> symbols) const;
  Match match(uint64_t index) const { return make_match(first_[index], second_[index], third_[index]); }

 private:
  Container container_;
  uint64_t patterns_ = 0;
  uint32_t max_samples_ = 0, max_rule_span_ = 0, min_gap_size_ = 0;
  PackedArray symbol_begins_, symbols_, table_, match_begins_, complete_;
  PackedArray first_, second_, third_;
};

uint64_t hash_symbols(std::span<const WordId> symbols);

}  // namespace dragoman::index
