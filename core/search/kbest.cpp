#include "search/kbest.h"

#include <algorithm>

#include "base/hash.h"

namespace dragoman::search {
namespace {

template <class Choice>
bool worse_derivation(const Choice& left, const Choice& right) {
  if (left.score != right.score) return left.score < right.score;
  return left.sequence > right.sequence;
}

uint32_t child_count(const Edge& edge) { return edge.children[0] ? (edge.children[1] ? 2 : 1) : 0; }

// Hashes of strings that can be concatenated: sums of words times powers of an odd number, modulo 2^64.
constexpr uint64_t base = 0x9e3779b97f4a7c15ull | 1;

void append(Derivation& to, uint64_t hash, uint64_t power) {
  to.yield_hash = to.yield_hash * power + hash;
  to.yield_power *= power;
}

}  // namespace

void KBest::begin(const Node* node, State& state) {
  for (const Edge* edge = node->edges; edge; edge = edge->next)
    state.queue.push_back({edge->score, state.sequence++, edge, {0, 0}});
  std::ranges::make_heap(state.queue, worse_derivation<DerivationChoice>);
  state.begun = true;
}

void KBest::queue_neighbours(State& state) {
  if (!state.has_last) return;
  state.has_last = false;
  const DerivationChoice last = state.last;
  const uint32_t children = child_count(*last.edge);
  // Each combination is reached from one neighbour only: along the last axis on which it has moved, or a later one.
  for (uint32_t axis = last.ranks[1] > 0 ? 1 : 0; axis < children; ++axis) {
    DerivationChoice neighbour = last;
    ++neighbour.ranks[axis];
    neighbour.score = last.edge->score;
    bool exists = true;
    for (uint32_t child = 0; child < children && exists; ++child) {
      const Derivation* part = get(last.edge->children[child], neighbour.ranks[child]);
      exists = part != nullptr;
      if (exists) neighbour.score += part->score - last.edge->children[child]->score;
    }
    if (!exists) continue;
    neighbour.sequence = state.sequence++;
    state.queue.push_back(neighbour);
    std::ranges::push_heap(state.queue, worse_derivation<DerivationChoice>);
  }
}

Derivation KBest::derive(const DerivationChoice& choice) {
  const Edge& edge = *choice.edge;
  Derivation derivation{&edge, {}, choice.score, 0, 1};
  for (uint32_t child = 0; child < child_count(edge); ++child)
    derivation.children[child] = get(edge.children[child], choice.ranks[child]);
  if (distinct_) {
    // Without gaps in its rule, an edge continues its child on the right.
    if (edge.rule->gaps == 0 && derivation.children[0])
      append(derivation, derivation.children[0]->yield_hash, derivation.children[0]->yield_power);
    for (Symbol symbol : edge.rule->target) {
      if (!is_gap(symbol))
        append(derivation, mix(word_of(symbol)), base);
      else
        append(derivation, derivation.children[gap_of(symbol)]->yield_hash,
               derivation.children[gap_of(symbol)]->yield_power);
    }
  }
  return derivation;
}

const Derivation* KBest::get(const Node* node, size_t rank) {
  State& state = states_[node];
  if (!state.begun) begin(node, state);
  while (state.derivations.size() <= rank) {
    queue_neighbours(state);
    if (state.queue.empty()) return nullptr;
    std::ranges::pop_heap(state.queue, worse_derivation<DerivationChoice>);
    state.last = state.queue.back();
    state.has_last = true;
    state.queue.pop_back();
    const Derivation derivation = derive(state.last);
    if (distinct_ && !state.yields.insert(mix(derivation.yield_hash) ^ derivation.yield_power).second) continue;
    derivations_.push_back(derivation);
    state.derivations.push_back(&derivations_.back());
  }
  return state.derivations[rank];
}

}  // namespace dragoman::search
