// What the matches of one pattern in the trained bitext gave, packed to bytes: the sample, and of each of its first
// matches the target sides with their links. Few target sides differ, so each is written once. Like PackedRules, but
// nothing is added up, so that matches of other segments can be added, and take the place of the last of these.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "base/numbering.h"
#include "index/match.h"
#include "rules/yields.h"
#include "text/vocabulary.h"

namespace dragoman::rules {

class PackedYields {
 public:
  explicit PackedYields(bool orientations) : oriented_(orientations) {}

  // A pattern is given as symbols with 0 for a gap; its sample, of whose first matches the yields of these variants
  // (bits 1 << Variant) follow: how many of its matches those are, and then, with rising matches, each yield.
  void begin(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants, size_t looked_at);
  // What the yields point to must stay until they are finished.
  void add(const Yield& yield);
  void finish();
  std::vector<uint8_t>& bytes() { return bytes_; }

  void unpack_sample(std::span<const WordId> symbols, std::vector<Match>& out) const;
  // Gives a node the yields of the first matches, whose numbers are these now; yields of other variants are left out.
  // False if fewer matches were looked at.
  bool unpack_yields(uint8_t variants, std::span<const uint32_t> numbers, uint32_t node, Yields& out);

 private:
  // The number of a target side with its links.
  uint32_t side_of(const Yield& yield);

  const bool oriented_;
  std::vector<uint8_t> bytes_;
  // Of the pattern at hand: sides by number, the target as symbols and the links.
  struct Side {
    Variant variant;
    std::span<const Symbol> target;
    std::span<const Link> links;
  };
  std::vector<Side> sides_;
  Numbering numbers_;
  std::vector<uint8_t> given_;  // the yields, by the numbers of their sides
  uint32_t given_count_ = 0, last_match_ = 0;
  // Of the side at hand, and all of them, as they were unpacked.
  std::vector<Symbol> target_;
  Links links_;
  std::vector<Yields::Side> unpacked_;
};

}  // namespace dragoman::rules
