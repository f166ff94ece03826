// The beginnings of the translations of one sentence, each of them once, as numbers of pieces.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "judge/pieces.h"

namespace dragoman::judge {

// Parents come before children.
struct PrefixTree {
  static constexpr uint32_t root = 0;

  struct Prefix {
    uint32_t parent;
    PieceId piece;  // its last
    uint32_t depth;
  };
  struct Candidate {
    uint32_t whole;  // the beginning that is all of it
    uint32_t pieces;
  };
  std::vector<Prefix> prefixes{{root, begin_piece, 0}};
  std::vector<Candidate> candidates;

  // False, and nothing is added, if there would be more than `most` of them; the first is always taken.
  bool add(std::span<const PieceId> pieces, uint32_t most);

 private:
  std::unordered_map<uint64_t, uint32_t> children_;
};

}  // namespace dragoman::judge
