// The source patterns of one input sentence: a trie over words and gaps with suffix links (thesis 3.2, figure 3.3).
// A node is a pattern that begins and ends with a word; a gap at either edge changes no match, so such patterns are
// variants of the node. Nodes are numbered breadth first, so that shorter patterns come first; node 0 is empty.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "base/namespaces.h"
#include "base/prefetch.h"
#include "index/match.h"
#include "text/vocabulary.h"

namespace dragoman::rules {

// Which edges of a pattern carry a gap.
enum Variant : uint8_t { plain = 0, gap_left = 1, gap_right = 2, gap_both = 3 };
inline constexpr uint32_t variant_count = 4;

inline constexpr uint32_t max_phrases = 3;

struct PatternNode {
  uint32_t parent = 0;      // without the last word (and the gap before it)
  uint32_t suffix = 0;      // without the first word (and the gap after it)
  WordId word = 0;          // the last word
  bool gap_before = false;  // a gap lies before the last word
  uint8_t variants = 0;     // bit 1 << Variant for each that the input has room for
  uint8_t phrase_count = 0;
  bool dead = false;                            // known to match nowhere
  uint16_t lengths[max_phrases] = {};           // of the phrases between the gaps
  uint32_t symbols = 0;                         // words and inner gaps
  uint32_t phrases[max_phrases] = {};           // the contiguous nodes between the gaps
  uint64_t matches_begin = 0, matches_end = 0;  // the sample, in PatternTrie::matches

  bool contiguous() const { return phrase_count <= 1; }
};

class PatternTrie {
 public:
  static constexpr uint32_t root = 0;
  static constexpr uint32_t none = FlatMap::absent;

  PatternTrie() { clear(); }
  void clear() {
    nodes_.assign(1, PatternNode{});
    children_.clear();
    matches_.clear();
  }

  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  const PatternNode& operator[](uint32_t node) const { return nodes_[node]; }
  PatternNode& operator[](uint32_t node) { return nodes_[node]; }
  // Asks for a node before it is needed.
  void fetch(uint32_t node) const { prefetch(&nodes_[node]); }

  uint32_t child(uint32_t node, bool gap, WordId word) const { return children_.find(key(node, gap, word)); }
  // Adds the child unless it is there. The suffix link must be known.
  uint32_t add(uint32_t node, bool gap, WordId word, uint32_t suffix);

  // The sampled matches of a node, in sampling order.
  std::span<const Match> sample(uint32_t node) const {
    return std::span(matches_).subspan(nodes_[node].matches_begin,
                                       nodes_[node].matches_end - nodes_[node].matches_begin);
  }
  void set_sample(uint32_t node, std::span<const Match> matches);
  // Matches that were a node's sample, as its matches_begin and matches_end said then.
  std::span<const Match> matches(uint64_t begin, uint64_t end) const {
    return std::span(matches_).subspan(begin, end - begin);
  }

  // Words in order, with 0 for a gap; with the variant's gaps at the edges.
  std::vector<WordId> symbols(uint32_t node, Variant variant = plain) const;
  uint32_t phrase_length(uint32_t node, uint32_t phrase) const { return nodes_[node].lengths[phrase]; }

 private:
  static uint64_t key(uint32_t node, bool gap, WordId word) {
    return uint64_t{node} << 33 | uint64_t{gap} << 32 | word;
  }

  std::vector<PatternNode> nodes_;
  FlatMap children_;
  std::vector<Match> matches_;
};

}  // namespace dragoman::rules
