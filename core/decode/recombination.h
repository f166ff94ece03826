// Makes hypotheses that no future can tell apart, those with equal states, one node of the forest. Both decoders do
// this with what they took for a cell or a stack: candidates come best first, so that the first edge of a node is its
// best.
#pragma once

#include <bit>
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "decode/arena.h"
#include "decode/forest.h"

namespace dragoman::decode {

class Recombination {
 public:
  Recombination(Arena& arena, size_t state_bytes) : arena_(arena), state_bytes_(state_bytes) {}

  // Forgets the states so far; about so many candidates will come.
  void start(size_t candidates) { table_.assign(std::bit_ceil(2 * candidates + 1), nullptr); }

  // The new node that the edge begins, with a copy of the state; nullptr if it went to a node that was there.
  Node* add(const Edge& candidate, const std::byte* state) {
    Edge* edge = arena_.make<Edge>(candidate);
    size_t slot = (state_bytes_ ? hash_bytes(state, state_bytes_) : 0) & (table_.size() - 1);
    while (table_[slot] && state_bytes_ && std::memcmp(table_[slot]->state, state, state_bytes_) != 0)
      slot = (slot + 1) & (table_.size() - 1);
    if (Node* node = table_[slot]) {
      // Behind the best edge; the order of the others does not matter.
      Edge* best = const_cast<Edge*>(node->edges);
      edge->next = best->next;
      best->next = edge;
      return nullptr;
    }
    std::byte* own = arena_.bytes(state_bytes_);
    if (state_bytes_) std::memcpy(own, state, state_bytes_);
    return table_[slot] = arena_.make<Node>(Node{edge, edge->score, own, edge->begin, edge->end});
  }

 private:
  Arena& arena_;
  size_t state_bytes_;
  std::vector<Node*> table_;
};

}  // namespace dragoman::decode
