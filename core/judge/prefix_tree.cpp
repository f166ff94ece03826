#include "judge/prefix_tree.h"

namespace dragoman::judge {

bool PrefixTree::add(std::span<const PieceId> pieces, uint32_t most) {
  if (!candidates.empty() && prefixes.size() + pieces.size() > most) return false;
  uint32_t at = root;
  for (const PieceId piece : pieces) {
    const auto [child, fresh] = children_.emplace(uint64_t{at} << 32 | piece, static_cast<uint32_t>(prefixes.size()));
    if (fresh) prefixes.push_back({at, piece, prefixes[at].depth + 1});
    at = child->second;
  }
  candidates.push_back({at, static_cast<uint32_t>(pieces.size()) + 1});
  return true;
}

}  // namespace dragoman::judge
