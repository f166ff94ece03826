// What a search leaves behind: a packed forest. A node is a set of hypotheses that no future can tell apart, an edge is
// one way to make it. Edges know the best score they can have; that of the node is its best edge's. The hierarchical
// decoder's edges join up to two nodes; the phrase-based decoder's have one, the hypothesis they extend.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/namespaces.h"
#include "search/scored_rule.h"

namespace dragoman::search {

struct Node;

struct Edge {
  const ScoredRule* rule;
  const Node* children[max_gaps];  // by gap of the source side; nullptr where there is none
  const Edge* next;                // of the same node
  double score;
  // What the rule covers on the source side, gaps included.
  uint32_t begin, end;
};

struct Node {
  const Edge* edges;  // best first
  double score;
  const std::byte* state;
  uint32_t begin, end;
};

// Keeps the best edge in front; the order of the others does not matter.
inline void add_edge(Node& node, Edge& edge) {
  if (!node.edges || edge.score > node.score) {
    edge.next = node.edges;
    node.edges = &edge;
    node.score = edge.score;
  } else {
    Edge* best = const_cast<Edge*>(node.edges);
    edge.next = best->next;
    best->next = &edge;
  }
}

// Source position of each symbol of an edge's source side; of a gap, where it begins.
inline void source_positions(const Edge& edge, uint32_t* positions) {
  uint32_t at = edge.begin;
  size_t index = 0;
  for (Symbol symbol : edge.rule->source) {
    positions[index++] = at;
    at = is_gap(symbol) ? edge.children[gap_of(symbol)]->end : at + 1;
  }
}

}  // namespace dragoman::search
