// Makes hypotheses that no future can tell apart, those with equal states, one node of the forest. Both decoders do
// this with what they took for a cell or a stack: candidates come best first, so that the first edge of a node is its
// best and nodes are in order. Nodes, states and edges of a cell lie side by side, because cubes walk along them.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/namespaces.h"
#include "base/numbering.h"
#include "search/arena.h"
#include "search/forest.h"

namespace dragoman::search {

class Recombination {
 public:
  Recombination(Arena& arena, size_t state_bytes) : arena_(arena), state_bytes_(state_bytes) {}

  // Forgets the states so far; so many candidates will come, or fewer.
  void start(size_t candidates) {
    numbers_.clear();
    edges_ = arena_.array<Edge>(candidates);
    node_of_.clear();
    states_.clear();
  }

  // Whether the edge begins a node. The state must stay until the end.
  bool add(const Edge& edge, const std::byte* state) {
    const auto [number, is_new] = numbers_.add(hash_bytes(state, state_bytes_), [&](uint32_t known) {
      return state_bytes_ == 0 || std::memcmp(states_[known], state, state_bytes_) == 0;
    });
    if (is_new) states_.push_back(state);
    edges_[node_of_.size()] = edge;
    node_of_.push_back(number);
    return is_new;
  }

  // The nodes, with copies of their states.
  std::span<const Node> finish() {
    const auto nodes = arena_.array<Node>(states_.size());
    std::byte* state = arena_.bytes(states_.size() * state_bytes_);
    size_t next_node = 0;
    for (size_t i = 0; i < node_of_.size(); ++i) {
      Edge& edge = edges_[i];
      if (node_of_[i] < next_node) {
        add_edge(nodes[node_of_[i]], edge);
        continue;
      }
      if (state_bytes_) std::memcpy(state, states_[next_node], state_bytes_);
      nodes[next_node++] = {&edge, edge.score, state, edge.begin, edge.end};
      state += state_bytes_;
    }
    return nodes;
  }

 private:
  Arena& arena_;
  size_t state_bytes_;
  Numbering numbers_;                     // nodes by state
  std::vector<const std::byte*> states_;  // by node
  std::span<Edge> edges_;
  std::vector<uint32_t> node_of_;  // by edge
};

}  // namespace dragoman::search
