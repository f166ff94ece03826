// Makes frequent.bin: finds the most frequent phrases from the LCP array, then collects, in one pass from the front of
// the text, the first matches of every pattern uXv and uXvXw over them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/monitor.h"
#include "base/namespaces.h"
#include "base/packed_array.h"
#include "index/match.h"
#include "text/vocabulary.h"

namespace dragoman::index {

struct FrequentMeta {
  uint64_t patterns;
  uint64_t symbols;
  uint64_t matches;
  uint64_t slots;
  uint32_t max_samples;
  uint32_t max_rule_span;
  uint32_t min_gap_size;
  uint32_t symbol_width;
  uint32_t first_width;
  uint32_t reserved;
};

struct FrequentOptions {
  uint32_t frequent_phrases = 50;          // K, for uXv
  uint32_t frequent_ternary = 10;          // the same for uXvXw
  uint32_t frequent_min_count = 5000;      // least occurrences of a phrase that is stored at all
  double frequent_bytes_per_token = 0.25;  // fewer phrases are stored where samples might take more
  uint32_t max_samples = 300;
  uint32_t max_rule_span = 15;
  uint32_t max_rule_symbols = 5;
  uint32_t min_gap_size = 1;
};

struct FrequentPhrase {
  std::vector<WordId> words;
  uint64_t ranks_begin, ranks_end;
  uint64_t count() const { return ranks_end - ranks_begin; }
};

// All phrases of at most max_length words that occur min_count times or more, most frequent first (then shorter, then
// by words). `shared[i]` is the LCP of suffixes i-1 and i.
std::vector<FrequentPhrase> frequent_phrases(std::span<const uint32_t> text, const PackedArray& suffixes,
                                             std::span<const uint8_t> shared, uint64_t min_count, uint32_t max_length);

class FrequentBuilder {
 public:
  FrequentBuilder(const FrequentOptions& options, WordId vocabulary) : options_(options), vocabulary_(vocabulary) {}

  void build(std::span<const uint32_t> text, const PackedArray& suffixes, std::span<const uint8_t> shared,
             Monitor& monitor);
  // The builder must outlive writer.write().
  void add_to(ContainerWriter& writer);

 private:
  struct Pattern {
    std::vector<WordId> symbols;
    std::vector<Match> matches;
    bool complete = true;
    bool full = false;
  };

  void collect_gapped(std::span<const uint32_t> text, std::span<const FrequentPhrase> phrases, Monitor& monitor);

  FrequentOptions options_;
  WordId vocabulary_;
  std::vector<Pattern> patterns_;
  std::vector<PackedWriter> packed_;
};

}  // namespace dragoman::index
