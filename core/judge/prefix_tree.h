// The beginnings of the translations of one sentence, each of them once, as numbers of pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "judge/pieces.h"

namespace dragoman::judge {

// All that begins with a beginning follows right behind it, so that whoever walks through them in order has at any time
// one path in mind.
struct PrefixTree {
  static constexpr uint32_t root = 0;
  // No child or sibling: the root is neither.
  static constexpr uint32_t none = root;

  struct Prefix {
    uint32_t parent;
    PieceId piece;  // its last
    uint32_t depth;
    uint32_t first_child = none, next_sibling = none;
  };
  struct Candidate {
    uint32_t whole;  // the beginning that is all of it
    uint32_t pieces;
  };
  std::vector<Prefix> prefixes{{root, begin_piece, 0}};
  std::vector<Candidate> candidates;

  explicit PrefixTree(const std::vector<std::vector<PieceId>>& sentences);
};

}  // namespace dragoman::judge
