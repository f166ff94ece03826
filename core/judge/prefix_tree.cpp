#include "judge/prefix_tree.h"

#include <algorithm>
#include <numeric>

namespace dragoman::judge {

PrefixTree::PrefixTree(const std::vector<std::vector<PieceId>>& sentences) : candidates(sentences.size()) {
  std::vector<uint32_t> order(sentences.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, std::less(), [&](uint32_t i) -> const std::vector<PieceId>& { return sentences[i]; });
  // The beginnings of the last sentence, shortest first. In order of spelling, the next one shares some of them and no
  // others.
  std::vector<uint32_t> path{root};
  std::vector<uint32_t> last_child{none};  // by prefix
  for (const uint32_t number : order) {
    const std::vector<PieceId>& pieces = sentences[number];
    size_t shared = 0;
    while (shared < pieces.size() && shared + 1 < path.size() && prefixes[path[shared + 1]].piece == pieces[shared])
      ++shared;
    path.resize(shared + 1);
    for (size_t i = shared; i < pieces.size(); ++i) {
      const uint32_t parent = path.back();
      const auto child = static_cast<uint32_t>(prefixes.size());
      uint32_t& before = last_child[parent];
      (before == none ? prefixes[parent].first_child : prefixes[before].next_sibling) = child;
      before = child;
      prefixes.push_back({parent, pieces[i], prefixes[parent].depth + 1});
      last_child.push_back(none);
      path.push_back(child);
    }
    candidates[number] = {path.back(), static_cast<uint32_t>(pieces.size()) + 1};
  }
}

}  // namespace dragoman::judge
