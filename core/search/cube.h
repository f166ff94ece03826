// Cube pruning (Chiang 2007; Huang and Chiang 2007): the best combinations of a rule with hypotheses for its gaps, out
// of many cubes, without looking at most of them. Every cube's corner, its best rule with the best hypotheses, is
// queued; whatever is taken from the queue queues its neighbours. A combination is reached from exactly one neighbour,
// the one before it along the last axis on which it has moved, so none comes twice.
//
// But for corners, language models are asked only when a combination comes to the front: it waits with what its parts
// promise, corrected by what the models said of its neighbour where the parts meet, then goes back with its score
// unless it is still first. A fifth fewer combinations are scored than if all that wait were (docs/inside/search.md
// says what that is worth). What waits lies still; the heap moves numbers and scores.
//
// Models that are expensive are asked in one batch about what was taken, after which hypotheses with equal states
// become one node.
#pragma once

#include <span>
#include <vector>

#include "base/namespaces.h"
#include "search/arena.h"
#include "search/forest.h"
#include "search/hypothesis_scorer.h"
#include "search/recombination.h"

namespace dragoman::search {

using Cell = std::span<const Node>;  // best first

struct Cube {
  std::span<const ScoredRule* const> rules;
  const Cell* cells[max_gaps] = {};  // by gap
  bool sentence_begin = false;
};

class CubeSearch {
 public:
  CubeSearch(HypothesisScorer& scorer, Arena& arena);

  // Fills the cell of [begin, end) from the cubes.
  void run(std::span<const Cube> cubes, uint32_t begin, uint32_t end, uint32_t pop_limit, Cell& cell);

  // One node of all hypotheses of a cell under a rule with one gap, whatever their states: the end of the search.
  const Node* join(const ScoredRule& rule, const Cell& cell);

  // Memory that one hypothesis can take.
  size_t bytes_per_pop() const { return sizeof(Edge) + sizeof(Node) + state_bytes_; }
  uint64_t pops() const { return pops_; }
  uint64_t scored() const { return scored_; }

 private:
  struct CubeItem {
    double score;     // once there is a state; before, what is expected
    double promised;  // by its parts alone
    uint32_t cube;
    uint32_t ranks[1 + max_gaps];
    std::byte* state;
  };
  // An item by its number. Among equals the one that came first is better.
  struct QueuedItem {
    double score;
    uint32_t number;  // among those of the cell
  };
  struct Worse {
    bool operator()(const QueuedItem& left, const QueuedItem& right) const {
      return left.score != right.score ? left.score < right.score : left.number > right.number;
    }
  };

  // `correction` is what to expect of the language models beside what the parts promise.
  uint32_t add(const Cube& cube, uint32_t number, const uint32_t* ranks, double correction);
  void queue_corners(std::span<const Cube> cubes, uint32_t begin, uint32_t end);
  void queue_neighbours(const Cube& cube, uint32_t of);
  void score(const Cube& cube, CubeItem& item, uint32_t begin, uint32_t end);
  Edge edge_of(const Cube& cube, const CubeItem& item, uint32_t begin, uint32_t end) const;
  void score_taken(std::span<const Cube> cubes, uint32_t begin, uint32_t end);
  void recombine(std::span<const Cube> cubes, uint32_t begin, uint32_t end, Cell& cell);

  HypothesisScorer& scorer_;
  Arena& arena_;
  size_t state_bytes_;
  // Of one cell.
  Arena scratch_;  // states
  std::vector<CubeItem> items_;
  std::vector<QueuedItem> queue_;  // a heap
  std::vector<QueuedItem> taken_;
  Recombination recombination_;
  std::vector<uint32_t> positions_;
  std::vector<HypothesisScorer::Fragment> fragments_;  // for the expensive models
  uint64_t pops_ = 0;
  uint64_t scored_ = 0;
};

}  // namespace dragoman::search
