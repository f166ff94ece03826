// How often each pair of words is linked (lexicon.bin), for p(target|source) = links(source, target) / links(source)
// and its mirror. Words without links count as linked to NULL, which has id 0 on either side. Only linked pairs are
// stored: a row of target ids per source word, found by binary search, and small counts with the large ones aside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/container.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "base/packed_array.h"
#include "text/vocabulary.h"

namespace dragoman::index {

class Lexicon {
 public:
  static constexpr std::string_view kind = "lexicon";
  static constexpr WordId null_word = Vocabulary::separator;

  explicit Lexicon(const Container& container);

  uint64_t pairs() const { return targets_.size(); }
  // 0 for ids that are not here.
  uint64_t links(WordId source, WordId target) const;
  uint64_t source_links(WordId source) const { return source < source_totals_.size() ? source_totals_[source] : 0; }
  uint64_t target_links(WordId target) const { return target < target_totals_.size() ? target_totals_[target] : 0; }

 private:
  Container container_;
  PackedArray rows_;     // where the pairs of each source word begin, and the end
  PackedArray targets_;  // target ids, rising within a row
  PackedArray counts_;   // link counts; the largest value stands for "see large"
  PackedArray large_pairs_, large_counts_;
  PackedArray source_totals_, target_totals_;
};

// Counts links of sentence pairs. Statistics are gathered per shard and merged by add(other), in any order.
class LexiconBuilder {
 public:
  LexiconBuilder(WordId source_vocabulary, WordId target_vocabulary, ArrayMemory* memory = array_memory())
      : source_vocabulary_(source_vocabulary), target_vocabulary_(target_vocabulary), pairs_(memory), counts_(memory) {}

  void add(std::span<const WordId> source, std::span<const WordId> target, std::span<const Link> links);
  void add(const LexiconBuilder& other);
  // The builder must outlive writer.write().
  void add_to(ContainerWriter& writer);

 private:
  WordId source_vocabulary_, target_vocabulary_;
  // Gathered links are counted before they take much memory.
  static constexpr size_t most_links = size_t{1} << 21;
  void count_links();
  void merge(std::span<const uint64_t> pairs, std::span<const uint32_t> counts);

  std::vector<uint64_t> links_;  // source << 32 | target, one per link that is not counted yet
  Array<uint64_t> pairs_;        // the same for each pair of words, sorted
  Array<uint32_t> counts_;       // and how often it is linked
  std::vector<bool> source_linked_, target_linked_;
  std::vector<PackedWriter> packed_;
};

}  // namespace dragoman::index
