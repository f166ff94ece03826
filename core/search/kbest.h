// The k best derivations of a forest, lazily (Huang and Chiang 2005, algorithm 3): the next derivation of a node is
// worked out only when somebody above asks for it. With `distinct`, a node gives each target string once, its best
// derivation: a second one could only make worse derivations of the same strings above, so nothing is lost.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/namespaces.h"
#include "search/forest.h"

namespace dragoman::search {

// An edge with a derivation for each of its children.
struct Derivation {
  const Edge* edge;
  const Derivation* children[max_gaps];
  double score;
  // Hash of the target words, and what a hash to the left of them is multiplied by.
  uint64_t yield_hash, yield_power;
};

class KBest {
 public:
  KBest(const Node* goal, bool distinct) : goal_(goal), distinct_(distinct) {}

  // The next best one, or nullptr when there are no more.
  const Derivation* next() { return goal_ ? get(goal_, given_++) : nullptr; }

 private:
  struct DerivationChoice {
    double score;
    uint32_t sequence;
    const Edge* edge;
    uint32_t ranks[max_gaps];
  };
  struct State {
    std::vector<const Derivation*> derivations;
    std::vector<DerivationChoice> queue;
    std::unordered_set<uint64_t> yields;
    DerivationChoice last{};  // the one whose neighbours are not queued yet
    uint32_t sequence = 0;
    bool begun = false;
    bool has_last = false;
  };
  const Derivation* get(const Node* node, size_t rank);
  void begin(const Node* node, State& state);
  void queue_neighbours(State& state);
  Derivation derive(const DerivationChoice& choice);

  const Node* goal_;
  bool distinct_;
  size_t given_ = 0;
  std::unordered_map<const Node*, State> states_;  // references to values stay valid when it grows
  std::deque<Derivation> derivations_;
};

}  // namespace dragoman::search
