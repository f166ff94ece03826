// All matches of gapped patterns whose phrases are among the most frequent ones of the text, found ahead of extraction:
// uXv, and uXvXw of the very most frequent (thesis 3.3; Lopez 2007). Both ways of matching that work on complete lists
// are described with this index, and without it a pattern of two frequent words costs a pass over a large part of the
// text. The positions of the phrases themselves are kept in order too: Lopez' inverted index, which spares his way
// sorting them. Building reads the text once; a match takes 8 bytes.
//
// Nothing that translates makes one: `exact` finds the sample without complete lists. It serves comparisons.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/match.h"
#include "rules/options.h"

namespace dragoman::rules {

class FrequentLists {
 public:
  // Of uXv over so many phrases, of uXvXw over so many of them; gaps and spans as in these options.
  FrequentLists(const IndexedBitext& bitext, size_t phrases, size_t triple_phrases, const ExtractOptions& options);

  static constexpr uint32_t none = UINT32_MAX;
  // The most frequent phrase is number 0.
  uint32_t phrase(std::span<const WordId> words) const;
  // Whether all matches of a pattern of these phrases, two or three, are here.
  bool knows(std::span<const uint32_t> phrases) const;
  // Sorted.
  std::span<const Match> matches(std::span<const uint32_t> phrases) const;

  // Whether the lists are those that extraction with these options asks for.
  bool serve(const IndexedBitext& bitext, const ExtractOptions& options) const {
    return &bitext == bitext_ && options.max_rule_span == max_rule_span_ && options.min_gap_size == min_gap_size_;
  }
  uint64_t patterns() const;  // with gaps, that match anywhere
  uint64_t bytes() const;

 private:
  struct Occurrence {
    uint32_t phrase;
    uint64_t begin, end;
  };
  static uint64_t key(uint32_t state, WordId word) { return uint64_t{state} << 32 | word; }
  void choose(size_t phrases);
  void add_occurrences(uint64_t at, std::vector<Occurrence>& here) const;
  void add_sentence(const std::vector<Occurrence>& here);
  size_t list(std::span<const uint32_t> phrases) const;

  const IndexedBitext* bitext_;
  const uint32_t max_rule_span_, min_gap_size_;
  // A trie of the phrases: from a state with a word to the next; some states are ends of phrases.
  std::unordered_map<uint64_t, uint32_t> steps_;
  std::vector<uint32_t> phrase_of_{none};
  size_t phrases_ = 0, triple_phrases_ = 0;
  // Those of phrases, of pairs and of triples, each by the numbers of its phrases.
  std::vector<std::vector<Match>> lists_;
};

}  // namespace dragoman::rules
