#include "search/hierarchical.h"

#include <algorithm>

#include "search/cube.h"
#include "search/limits.h"
#include "search/word_order.h"

namespace dragoman::search {
namespace {

// A source side matched as far as `end` from the current begin, with the spans of its gaps so far.
struct Partial {
  uint32_t node;
  uint8_t gaps = 0;
  const Cell* cells[max_gaps] = {};
};

// A sequence of cells [begin, end) joined by glue: the sentence, or a zone.
struct Chain {
  uint32_t begin, end;
  std::vector<Cell> cells;  // by end - begin
};

class HierarchicalSearch {
 public:
  explicit HierarchicalSearch(const SearchTask& task)
      : grammar_(task.grammar),
        sentence_(task.sentence),
        constraints_(task.constraints),
        pricer_(task.pricer),
        arena_(task.arena),
        limits_(task),
        cubes_search_(task.scorer, task.arena),
        size_(static_cast<uint32_t>(task.sentence.size())),
        max_span_(task.options.max_span ? std::min(task.options.max_span, size_) : size_),
        cells_(size_ * size_t{max_span_}),
        long_phrases_(size_ + 1) {
    for (const Span& zone : task.constraints.zones)
      if (zone.begin < zone.end)
        chains_.push_back({zone.begin, zone.end, std::vector<Cell>(zone.end - zone.begin + 1)});
    // Inner zones first: an outer chain may use what an inner one made.
    std::ranges::stable_sort(chains_, {}, [](const Chain& chain) { return chain.end - chain.begin; });
    for (RuleKind kind : {RuleKind::glue_first, RuleKind::glue, RuleKind::goal}) add_glue(kind);
  }

  SearchResult run();

 private:
  void add_glue(RuleKind kind);
  Cell& cell(uint32_t begin, uint32_t end) { return cells_[begin * size_t{max_span_} + (end - begin - 1)]; }
  // What covers [begin, end) as an X: the cell, or a zone's chain where the span is longer than cells go.
  const Cell* unit(uint32_t begin, uint32_t end);
  void fill_from(uint32_t begin);
  void match(uint32_t begin, uint32_t end);
  // The rules of a source side, but for those that would put words out of an order that they must keep.
  std::span<const ScoredRule* const> rules_in_order(const Partial& partial, uint32_t begin);
  bool gaps_allowed(const Partial& partial, uint32_t begin, uint32_t end) const;
  void extend_chain(Chain& chain, uint32_t end, bool sentence_begin);
  void solve(Cell& into, uint32_t begin, uint32_t end);
  void add_long_phrases(uint32_t begin);

  const SentenceGrammar& grammar_;
  const Sentence& sentence_;
  const Constraints& constraints_;
  RulePricer& pricer_;
  Arena& arena_;
  Limits limits_;
  CubeSearch cubes_search_;
  uint32_t size_, max_span_;
  std::vector<Cell> cells_;
  std::vector<Chain> chains_;
  std::vector<std::vector<std::pair<uint32_t, Cell>>> long_phrases_;  // by end: begin and hypotheses
  const ScoredRule* glue_[3] = {};                                    // glue_first, glue, goal
  std::vector<std::vector<Partial>> active_;                          // by end, for one begin
  std::vector<Cube> cubes_;
  std::vector<const ScoredRule*> ordered_rules_;
  size_t cells_left_ = 0;
};

void HierarchicalSearch::add_glue(RuleKind kind) {
  ScoredRule rule{};
  rule.kind = kind;
  rule.gaps = kind == RuleKind::glue ? 2 : 1;
  static constexpr Symbol sides[] = {gap_symbol(0), gap_symbol(1)};
  rule.source = rule.target = std::span(sides).first(rule.gaps);
  if (kind == RuleKind::glue) rule.score = pricer_.features().weight(glue);
  rule.estimate = rule.score;
  pricer_.prepare(rule, arena_);
  glue_[static_cast<int>(kind) - static_cast<int>(RuleKind::glue_first)] = arena_.make<ScoredRule>(rule);
}

const Cell* HierarchicalSearch::unit(uint32_t begin, uint32_t end) {
  if (end - begin <= max_span_) return &cell(begin, end);
  for (const Chain& chain : chains_)
    if (chain.begin == begin && chain.end == end) return &chain.cells[end - begin];
  return nullptr;
}

void HierarchicalSearch::solve(Cell& into, uint32_t begin, uint32_t end) {
  const uint32_t pops = limits_.pops(cells_left_, cubes_search_.bytes_per_pop());
  if (cells_left_) --cells_left_;
  std::erase_if(cubes_, [](const Cube& cube) {
    for (uint32_t gap = 0; gap < cube.rules[0]->gaps; ++gap)
      if (cube.cells[gap]->empty()) return true;
    return false;
  });
  cubes_search_.run(cubes_, begin, end, pops, into);
}

// A zone that a rule covers must lie within one of its gaps, or have the rule to itself. Words at the ends of a zone
// with walls are then the rule's own: in gaps it could put them anywhere.
bool HierarchicalSearch::gaps_allowed(const Partial& partial, uint32_t begin, uint32_t end) const {
  auto any_gap = [&](auto&& holds) {
    for (uint32_t gap = 0; gap < partial.gaps; ++gap)
      if (!partial.cells[gap]->empty() && holds(partial.cells[gap]->front())) return true;
    return false;
  };
  for (const Span& zone : constraints_.zones) {
    if (zone.begin < begin || zone.end > end || (zone.begin == begin && zone.end == end)) continue;
    if (!any_gap([&](const Node& node) { return node.begin <= zone.begin && zone.end <= node.end; })) return false;
  }
  for (const Wall& wall : constraints_.walls)
    if (wall.open && wall.begin == begin && wall.end == end &&
        any_gap([&](const Node& node) { return node.begin == begin || node.end == end; }))
      return false;
  return true;
}

std::span<const ScoredRule* const> HierarchicalSearch::rules_in_order(const Partial& partial, uint32_t begin) {
  const auto rules = grammar_.rules(partial.node);
  if (constraints_.ordered.empty() || partial.gaps == 0) return rules;
  Span gaps[max_gaps];
  for (uint32_t gap = 0; gap < partial.gaps; ++gap) {
    if (partial.cells[gap]->empty()) return rules;
    gaps[gap] = {partial.cells[gap]->front().begin, partial.cells[gap]->front().end};
  }
  if (!keep_ordered(constraints_, rules, begin, std::span(gaps).first(partial.gaps), ordered_rules_)) return rules;
  const auto kept = arena_.array<const ScoredRule*>(ordered_rules_.size());
  std::ranges::copy(ordered_rules_, kept.begin());
  return kept;
}

// Collects the cubes of [begin, end): sides that end here, and through them what longer spans will extend.
void HierarchicalSearch::match(uint32_t begin, uint32_t end) {
  cubes_.clear();
  auto& ending = active_[end - begin];
  auto arrive = [&](Partial partial) {
    const auto rules = rules_in_order(partial, begin);
    if (!rules.empty() && constraints_.allows(begin, end) && gaps_allowed(partial, begin, end))
      cubes_.push_back({rules, {partial.cells[0], partial.cells[1]}, false});
    ending.push_back(partial);
  };
  const bool hurry = limits_.late();
  // By the word before `end`.
  for (const Partial& partial : active_[end - begin - 1]) {
    if (partial.gaps && end - begin > max_span_) continue;
    const uint32_t next = grammar_.child(partial.node, word_symbol(sentence_.words[end - 1]));
    if (next == SentenceGrammar::none) continue;
    Partial longer = partial;
    longer.node = next;
    arrive(longer);
  }
  // By a gap [middle, end).
  if (hurry || end - begin > max_span_) return;
  for (uint32_t middle = begin + 1; middle < end; ++middle) {
    const Cell& inner = cell(middle, end);
    if (inner.empty()) continue;
    for (const Partial& partial : active_[middle - begin]) {
      const uint32_t next = grammar_.gap_child(partial.node);
      if (next == SentenceGrammar::none || partial.gaps == max_gaps) continue;
      Partial longer = partial;
      longer.node = next;
      longer.cells[longer.gaps++] = &inner;
      arrive(longer);
    }
  }
}

// All cells that begin here, short ones first; those that begin further right are done.
void HierarchicalSearch::fill_from(uint32_t begin) {
  active_.assign(max_span_ + 1, {});
  active_[0].push_back({SentenceGrammar::root, 0, {}});
  const uint32_t first_gap = grammar_.gap_child(SentenceGrammar::root);
  for (uint32_t end = begin + 1; end <= std::min(size_, begin + max_span_); ++end) {
    match(begin, end);
    Cell& span_cell = cell(begin, end);
    // A zone as a whole can also be what its chain makes of it.
    for (Chain& chain : chains_)
      if (chain.begin == begin && chain.end == end && end - begin > 1) {
        std::vector<Cube> own;
        std::swap(own, cubes_);
        for (uint32_t to = begin + 1; to < end; ++to) extend_chain(chain, to, false);
        std::swap(own, cubes_);
        for (uint32_t middle = begin + 1; middle < end; ++middle)
          cubes_.push_back({{&glue_[1], 1}, {&chain.cells[middle - begin], &cell(middle, end)}, false});
      }
    solve(span_cell, begin, end);
    // A gap at the left edge becomes possible now that the cell is done.
    if (first_gap != SentenceGrammar::none && !span_cell.empty())
      active_[end - begin].push_back({first_gap, 1, {&span_cell}});
  }
  add_long_phrases(begin);
  // Zones longer than cells go: the chain alone makes them.
  for (Chain& chain : chains_)
    if (chain.begin == begin && chain.end - begin > max_span_)
      for (uint32_t to = begin + 1; to <= chain.end; ++to) extend_chain(chain, to, false);
}

// Contiguous phrases may be longer than other rules; glue takes them up.
void HierarchicalSearch::add_long_phrases(uint32_t begin) {
  uint32_t node = SentenceGrammar::root;
  for (uint32_t end = begin + 1; end <= size_; ++end) {
    node = grammar_.child(node, word_symbol(sentence_.words[end - 1]));
    if (node == SentenceGrammar::none) return;
    if (end - begin <= max_span_ || grammar_.rules(node).empty() || !constraints_.allows(begin, end) ||
        !gaps_allowed({node, 0, {}}, begin, end))
      continue;
    cubes_.assign(1, {grammar_.rules(node), {}, false});
    long_phrases_[end].emplace_back(begin, Cell());
    solve(long_phrases_[end].back().second, begin, end);
  }
}

// chain[begin, end) = X[begin, end) | chain[begin, middle) X[middle, end).
void HierarchicalSearch::extend_chain(Chain& chain, uint32_t end, bool sentence_begin) {
  cubes_.clear();
  auto add = [&](uint32_t from, const Cell* last) {
    if (!last || last->empty() || last == &chain.cells[end - chain.begin]) return;
    if (from == chain.begin)
      cubes_.push_back({{&glue_[0], 1}, {last}, sentence_begin});
    else if (!chain.cells[from - chain.begin].empty())
      cubes_.push_back({{&glue_[1], 1}, {&chain.cells[from - chain.begin], last}, false});
  };
  for (uint32_t from = end - chain.begin > max_span_ ? end - max_span_ : chain.begin; from < end; ++from)
    add(from, unit(from, end));
  for (const Chain& other : chains_)
    if (other.end == end && other.begin >= chain.begin && end - other.begin > max_span_)
      add(other.begin, unit(other.begin, end));
  for (const auto& [from, phrase] : long_phrases_[end])
    if (from >= chain.begin) add(from, &phrase);
  solve(chain.cells[end - chain.begin], chain.begin, end);
}

SearchResult HierarchicalSearch::run() {
  cells_left_ = size_ * size_t{max_span_} + size_ + 1;
  for (uint32_t begin = size_; begin-- > 0;) fill_from(begin);
  Chain whole{0, size_, std::vector<Cell>(size_ + 1)};
  for (uint32_t end = 1; end <= size_; ++end) extend_chain(whole, end, true);
  SearchResult result;
  if (!whole.cells[size_].empty()) result.goal = cubes_search_.join(*glue_[2], whole.cells[size_]);
  result.narrowed = limits_.narrowed();
  result.pops = cubes_search_.pops();
  result.scored = cubes_search_.scored();
  return result;
}

}  // namespace

SearchResult search_hierarchical(const SearchTask& task) { return HierarchicalSearch(task).run(); }

}  // namespace dragoman::search
