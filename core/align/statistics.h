// What the E-step of shards leaves for the M-step. Counts and moves are whole numbers, so they may be added in any
// order; the sums of each shard are kept by themselves and added in the order of the shards. So it does not matter
// which thread, process or machine did which shard.
#pragma once

#include <vector>

#include "align/diagonal.h"
#include "align/inference.h"
#include "align/jumps.h"
#include "align/pair_table.h"
#include "align/sweep.h"
#include "base/container.h"

namespace dragoman::align {

// Sums of one shard that are no whole numbers.
struct ShardSums {
  double log_likelihood = 0;
  DiagonalSums forward, backward;
};

class Statistics {
 public:
  static constexpr std::string_view kind = "alignment-sums";

  Statistics(PairCounts counts, size_t shards, size_t max_words)
      : counts(std::move(counts)), forward(max_words), backward(max_words), shards(shards), summed(shards) {}

  PairCounts counts;
  JumpStatistics forward, backward;
  std::vector<ShardSums> shards;
  std::vector<uint8_t> summed;  // by shard: whether it is in the sums

  void clear();
  // As a message, `first` being the number that the first shard has among all.
  std::vector<std::byte> pack(size_t first) const;
  // Throws FormatError for what is no such message, and InputError for shards that are in the sums already.
  void add(const Container& message);
};

// The E-step of all shards of a sweep.
void sum_shards(Sweep& sweep, const PairTable& table, const ModelParameters& parameters, Statistics& statistics,
                size_t threads, Monitor& monitor);

}  // namespace dragoman::align
