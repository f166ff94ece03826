// What extraction found for one pattern, its sample and its rules, packed to bytes: as the rule cache keeps it. Whoever
// uses a cache has one of these to pack into and to unpack from, so that other threads need not wait meanwhile.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "base/varint.h"
#include "index/match.h"
#include "rules/node_rules.h"

namespace dragoman::rules {

class PackedRules {
 public:
  // A pattern is given as symbols with 0 for a gap; its sample, and its rules of these variants (bits 1 << Variant).
  void pack(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants, const NodeRules& rules);
  std::vector<uint8_t>& bytes() { return bytes_; }

  void unpack_sample(std::span<const WordId> symbols, std::vector<Match>& out) const;
  // Rules of other variants are left out; `out` must have begun.
  void unpack_rules(uint8_t variants, NodeRules& out);

 private:
  std::vector<uint8_t> bytes_;
  // Of the rule at hand.
  std::vector<Symbol> target_;
  Links links_;
  std::vector<uint32_t> matches_, orientations_;
};

}  // namespace dragoman::rules
