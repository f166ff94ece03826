#include "search/cube.h"

#include <algorithm>
#include <cstring>

namespace dragoman::search {
namespace {

// Forced decoding looks at so many hypotheses for one that is possible.
constexpr size_t impossible_per_pop = 50;

}  // namespace

CubeSearch::CubeSearch(HypothesisScorer& scorer, Arena& arena)
    : scorer_(scorer),
      arena_(arena),
      state_bytes_(scorer.models().scorer().fragment_bytes()),
      scratch_(size_t{1} << 16),
      recombination_(arena, state_bytes_) {}

Edge CubeSearch::edge_of(const Cube& cube, const CubeItem& item, uint32_t begin, uint32_t end) const {
  Edge edge{cube.rules[item.ranks[0]], {}, nullptr, item.score, begin, end};
  for (uint32_t gap = 0; gap < edge.rule->gaps; ++gap) edge.children[gap] = &(*cube.cells[gap])[item.ranks[1 + gap]];
  return edge;
}

uint32_t CubeSearch::add(const Cube& cube, uint32_t number, const uint32_t* ranks, double correction) {
  const ScoredRule& rule = *cube.rules[ranks[0]];
  double promised = state_bytes_ ? rule.estimate : rule.score;
  for (uint32_t gap = 0; gap < rule.gaps; ++gap) promised += (*cube.cells[gap])[ranks[1 + gap]].score;
  // Without language models the promise is the score.
  const double expected = state_bytes_ ? promised + correction : promised;
  items_.push_back({expected, promised, number, {ranks[0], ranks[1], ranks[2]}, nullptr});
  return static_cast<uint32_t>(items_.size() - 1);
}

void CubeSearch::score(const Cube& cube, CubeItem& item, uint32_t begin, uint32_t end) {
  const Edge edge = edge_of(cube, item, begin, end);
  item.state = scratch_.bytes(state_bytes_);
  // Models may leave bytes between their states alone; states are compared as bytes.
  std::memset(item.state, 0, state_bytes_);
  const std::byte* children[max_gaps] = {};
  for (uint32_t gap = 0; gap < edge.rule->gaps; ++gap) children[gap] = edge.children[gap]->state;
  if (scorer_.models().reads_source_first()) {
    positions_.resize(edge.rule->source.size());
    source_positions(edge, positions_.data());
  }
  item.score = edge.rule->score + edge.rule->hint + item.promised - edge.rule->estimate +
               scorer_.score_fragment(*edge.rule, positions_, children, cube.sentence_begin, Stage::cheap, item.state);
  ++scored_;
}

// What their parts promise falls short of what corners are worth in context, so they are scored before anything else.
void CubeSearch::queue_corners(std::span<const Cube> cubes, uint32_t begin, uint32_t end) {
  const uint32_t corner[1 + max_gaps] = {};
  for (uint32_t number = 0; number < cubes.size(); ++number) {
    const uint32_t item = add(cubes[number], number, corner, 0);
    if (state_bytes_) score(cubes[number], items_[item], begin, end);
    queue_.push_back({items_[item].score, item});
  }
  std::ranges::make_heap(queue_, Worse());
}

void CubeSearch::queue_neighbours(const Cube& cube, uint32_t of) {
  const CubeItem item = items_[of];
  // What is impossible says nothing about its neighbours.
  const double correction = is_possible(item.score) ? item.score - item.promised : 0;
  const uint32_t gaps = cube.rules[item.ranks[0]]->gaps;
  uint32_t axis = gaps;  // the last axis on which it has moved
  while (axis > 0 && item.ranks[axis] == 0) --axis;
  for (; axis <= gaps; ++axis) {
    const size_t size = axis == 0 ? cube.rules.size() : cube.cells[axis - 1]->size();
    uint32_t ranks[1 + max_gaps] = {item.ranks[0], item.ranks[1], item.ranks[2]};
    if (++ranks[axis] >= size) continue;
    const uint32_t neighbour = add(cube, item.cube, ranks, correction);
    queue_.push_back({items_[neighbour].score, neighbour});
    std::ranges::push_heap(queue_, Worse());
  }
}

void CubeSearch::run(std::span<const Cube> cubes, uint32_t begin, uint32_t end, uint32_t pop_limit, Cell& cell) {
  scratch_.clear();
  items_.clear();
  queue_.clear();
  taken_.clear();
  queue_corners(cubes, begin, end);
  size_t looked_at = 0;
  while (!queue_.empty() && taken_.size() < pop_limit && looked_at < size_t{pop_limit} * impossible_per_pop) {
    std::ranges::pop_heap(queue_, Worse());
    QueuedItem& last = queue_.back();
    CubeItem& item = items_[last.number];
    const Cube& cube = cubes[item.cube];
    if (state_bytes_ && !item.state) {
      score(cube, item, begin, end);
      last.score = item.score;
      if (Worse()(last, queue_.front())) {
        std::ranges::push_heap(queue_, Worse());
        continue;
      }
    }
    const QueuedItem queued = last;
    queue_.pop_back();
    ++looked_at;
    if (is_possible(queued.score)) taken_.push_back(queued);
    queue_neighbours(cube, queued.number);
  }
  pops_ += taken_.size();
  recombine(cubes, begin, end, cell);
}

// What the cheap models chose, by the expensive ones.
void CubeSearch::score_taken(std::span<const Cube> cubes, uint32_t begin, uint32_t end) {
  fragments_.clear();
  positions_.clear();
  for (const QueuedItem& queued : taken_) {
    const CubeItem& item = items_[queued.number];
    const Edge edge = edge_of(cubes[item.cube], item, begin, end);
    HypothesisScorer::Fragment fragment{
        edge.rule, static_cast<uint32_t>(positions_.size()), cubes[item.cube].sentence_begin, {}, item.state, 0};
    for (uint32_t gap = 0; gap < edge.rule->gaps; ++gap) fragment.children[gap] = edge.children[gap]->state;
    fragments_.push_back(fragment);
    positions_.resize(positions_.size() + edge.rule->source.size());
    source_positions(edge, positions_.data() + fragment.first_position);
  }
  scorer_.score_fragments(fragments_, positions_, Stage::expensive);
  // Instead of what was expected of them.
  for (size_t i = 0; i < taken_.size(); ++i) taken_[i].score += fragments_[i].score - fragments_[i].rule->hint;
}

void CubeSearch::recombine(std::span<const Cube> cubes, uint32_t begin, uint32_t end, Cell& cell) {
  if (scorer_.models().has_expensive()) score_taken(cubes, begin, end);
  // Best first, so that the first edge of a node is its best.
  std::ranges::sort(taken_, [](const QueuedItem& left, const QueuedItem& right) { return Worse()(right, left); });
  recombination_.start(taken_.size());
  for (const QueuedItem& queued : taken_) {
    const CubeItem& item = items_[queued.number];
    Edge edge = edge_of(cubes[item.cube], item, begin, end);
    edge.score = queued.score;
    recombination_.add(edge, item.state);
  }
  cell = recombination_.finish();
}

const Node* CubeSearch::join(const ScoredRule& rule, const Cell& cell) {
  std::byte* state = scratch_.bytes(state_bytes_);  // nobody looks at it
  fragments_.clear();
  for (const Node& child : cell)
    fragments_.push_back({&rule, 0, false, {child.state}, state, rule.score + child.score});
  // The end of the sentence goes with the last source word.
  positions_.assign(1, cell.front().end - 1);
  if (state_bytes_) scorer_.score_fragments(fragments_, positions_, Stage::all);
  Node* node = arena_.make<Node>(Node{nullptr, 0, nullptr, cell.front().begin, cell.front().end});
  for (size_t i = 0; i < cell.size(); ++i) {
    if (!is_possible(fragments_[i].score)) continue;
    add_edge(*node, *arena_.make<Edge>(
                        Edge{&rule, {&cell[i], nullptr}, nullptr, fragments_[i].score, cell[i].begin, cell[i].end}));
  }
  return node->edges ? node : nullptr;
}

}  // namespace dragoman::search
