#include "search/phrase_based.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "search/coverage.h"
#include "search/future_cost.h"
#include "search/limits.h"
#include "search/phrase_option.h"
#include "search/phrase_order.h"
#include "search/recombination.h"
#include "search/word_order.h"

namespace dragoman::search {
namespace {

// What the future depends on beside the language models; the first bytes of a node's state.
struct CoverageState {
  uint64_t beyond;
  uint64_t last_rule;  // address of the last rule if it has reordering features, else 0
  uint32_t first_gap;
  uint32_t last_begin;  // 0 if no rule has reordering features
  uint32_t last_end;
  uint32_t padding;
};

struct Hypo {
  const Node* node;
  double expected;  // score and future cost
};

// So many places from the front of the queue, candidates are scored together with the first.
constexpr size_t look_ahead = 16;

// Hypotheses with equal coverage and end, best first.
struct Group {
  Coverage coverage;
  uint32_t last_end;
  std::vector<const Node*> nodes;
};

// A group with the rules of a source phrase that fits.
struct PhraseCube {
  uint32_t stack, group;
  uint32_t begin, end;
  std::span<const ScoredRule* const> rules;
  Coverage coverage;
  double order_score;  // of the jump
  double future;
};

struct PhraseExpansion {
  double score;
  std::byte* state;  // nullptr: not scored by language models yet
  uint32_t cube;
  uint32_t hypothesis;
  uint32_t rule : 31;
  uint32_t settled : 1;  // what is expected of it is with what language models say
};

// An expansion waits by its number, which is small to move; of equal ones the earlier comes first.
struct Queued {
  double expected;  // with future cost
  uint32_t number;
};

struct Worse {
  bool operator()(const Queued& left, const Queued& right) const {
    if (left.expected != right.expected) return left.expected < right.expected;
    return left.number > right.number;
  }
};

class PhraseSearch {
 public:
  explicit PhraseSearch(const SearchTask& task)
      : grammar_(task.grammar),
        sentence_(task.sentence),
        constraints_(task.constraints),
        options_(task.options),
        pricer_(task.pricer),
        scorer_(task.scorer),
        arena_(task.arena),
        limits_(task),
        prefix_(task.prefix),
        size_(static_cast<uint32_t>(task.sentence.size())),
        state_bytes_(sizeof(CoverageState) + task.scorer.models().scorer().context_bytes()),
        future_(size_, task.arena),
        stacks_(size_ + 1),
        cubes_(size_ + 1),
        recombination_(task.arena, state_bytes_) {}

  SearchResult run();

 private:
  void find_options();
  const Node* start(const PrefixStart& begun, size_t number);
  // Hypotheses that nothing came before, by covered words.
  std::vector<std::vector<Hypo>> starts();
  bool fits(const Coverage& coverage, uint32_t last_end, uint32_t begin, uint32_t end) const;
  bool zones_allow(const Coverage& coverage, uint32_t begin, uint32_t end) const;
  void make_groups(uint32_t stack, std::vector<Hypo>& hypotheses);
  void offer_cubes(uint32_t stack);
  // Adds to those that start there.
  void fill(uint32_t stack, std::vector<Hypo>& hypotheses);
  void queue(uint32_t stack, uint32_t cube, uint32_t hypothesis, uint32_t rule);
  void score(uint32_t stack, PhraseExpansion& first);
  double order_score(const Node* before, const ScoredRule& rule, uint32_t begin, uint32_t end) const;
  const Node* finish();
  CoverageState coverage_state(const Node* node) const {
    CoverageState state;
    std::memcpy(&state, node->state, sizeof state);
    return state;
  }

  const SentenceGrammar& grammar_;
  const Sentence& sentence_;
  const Constraints& constraints_;
  const DecodeOptions& options_;
  RulePricer& pricer_;
  HypothesisScorer& scorer_;
  Arena& arena_;
  Limits limits_;
  PrefixWalk* prefix_;
  std::vector<PrefixStart> begun_;
  uint32_t size_;
  size_t state_bytes_;
  FutureCost future_;
  bool reordering_ = false;
  PhraseOptions phrases_;
  std::vector<std::vector<Group>> stacks_;      // by covered words
  std::vector<std::vector<PhraseCube>> cubes_;  // by covered words of what they make
  Arena scratch_{size_t{1} << 16};
  std::vector<PhraseExpansion> expansions_;  // of one stack
  std::vector<Queued> queue_, taken_;
  std::vector<PhraseExpansion*> asked_;
  std::vector<HypothesisScorer::Phrase> asked_phrases_;
  Recombination recombination_;
  uint64_t pops_ = 0, scored_ = 0;
};

void PhraseSearch::find_options() {
  phrases_.resize(size_);
  for (uint32_t begin = 0; begin < size_; ++begin) {
    uint32_t node = SentenceGrammar::root;
    for (uint32_t end = begin + 1; end <= size_; ++end) {
      node = grammar_.child(node, word_symbol(sentence_.words[end - 1]));
      if (node == SentenceGrammar::none) break;
      const auto rules = grammar_.rules(node);
      bool allowed = constraints_.allows(begin, end);
      // A zone inside a longer phrase could be torn apart by it.
      for (const Span& zone : constraints_.zones)
        allowed = allowed && !(begin <= zone.begin && zone.end <= end && end - begin > zone.end - zone.begin);
      if (rules.empty() || !allowed) continue;
      phrases_[begin].push_back({end, rules});
      future_.offer(begin, end, rules.front()->estimate);
      for (const ScoredRule* rule : rules) reordering_ = reordering_ || has_reordering(*rule);
    }
  }
  future_.combine();
}

const Node* PhraseSearch::start(const PrefixStart& begun, size_t number) {
  ScoredRule rule{};
  rule.kind = RuleKind::start;
  rule.reference = number;
  const auto source = arena_.array<Symbol>(begun.words.empty() ? 0 : size_),
             target = arena_.array<Symbol>(begun.words.size());
  std::ranges::transform(std::span(sentence_.words).first(source.size()), source.begin(), word_symbol);
  std::ranges::transform(begun.words, target.begin(), word_symbol);
  rule.source = source;
  rule.target = target;
  rule.links = begun.links;
  pricer_.prepare(rule, arena_);
  const ScoredRule* stored_rule = arena_.make<ScoredRule>(rule);
  // A phrase that is too far from what is left would lead nowhere.
  const bool far = jump(begun.last.end, begun.coverage.first_gap) > options_.distortion_limit;
  const Span last = far ? Span{begun.coverage.first_gap, begun.coverage.first_gap} : begun.last;
  const CoverageState at{begun.coverage.beyond, 0, begun.coverage.first_gap, reordering_ ? last.begin : 0, last.end, 0};
  std::byte* state = arena_.bytes(state_bytes_);
  std::memset(state, 0, state_bytes_);
  std::memcpy(state, &at, sizeof at);
  double score = begun.score;
  if (begun.words.empty()) {
    scorer_.begin_context(state + sizeof at);
  } else {
    std::vector<std::byte> before(state_bytes_);
    scorer_.begin_context(before.data() + sizeof at);
    HypothesisScorer::Phrase phrase{stored_rule, 0, before.data() + sizeof at, state + sizeof at, 0};
    scorer_.score_phrases({&phrase, 1});
    score += phrase.score;
  }
  const Edge* edge = arena_.make<Edge>(Edge{stored_rule, {}, nullptr, score, 0, 0});
  return arena_.make<Node>(Node{edge, score, state, 0, 0});
}

std::vector<std::vector<Hypo>> PhraseSearch::starts() {
  std::vector<std::vector<Hypo>> hypotheses(size_ + 1);
  if (prefix_)
    begun_ = prefix_->starts(phrases_, future_, pricer_.features().weight(distortion));
  else
    begun_.emplace_back();
  for (size_t number = 0; number < begun_.size(); ++number) {
    const Node* node = start(begun_[number], number);
    hypotheses[begun_[number].covered].push_back({node, node->score + future_.of(begun_[number].coverage)});
  }
  return hypotheses;
}

bool PhraseSearch::zones_allow(const Coverage& coverage, uint32_t begin, uint32_t end) const {
  for (const Wall& wall : constraints_.walls) {
    if (begin < wall.position || begin >= wall.end) continue;
    for (uint32_t at = std::max(wall.begin, coverage.first_gap); at < wall.position; ++at)
      if (!coverage.covers(at)) return false;
  }
  for (const Span& zone : constraints_.zones) {
    const bool inside = zone.begin <= begin && end <= zone.end;
    uint32_t covered = 0;
    for (uint32_t at = zone.begin; at < zone.end; ++at) covered += coverage.covers(at);
    const bool open = covered > 0 && covered < zone.end - zone.begin;
    if (open && !inside) return false;
    // Once in, it must be possible to finish without leaving.
    if (inside && coverage.first_gap < zone.begin && zone.end - coverage.first_gap > options_.distortion_limit)
      return false;
  }
  return comes_in_order(constraints_, coverage, begin, end);
}

bool PhraseSearch::fits(const Coverage& coverage, uint32_t last_end, uint32_t begin, uint32_t end) const {
  if (!coverage.is_free(begin, end)) return false;
  if (jump(last_end, begin) > options_.distortion_limit) return false;
  // The first hole must stay within reach.
  if (begin > coverage.first_gap && end - coverage.first_gap > options_.distortion_limit) return false;
  return constraints_.empty() || zones_allow(coverage, begin, end);
}

void PhraseSearch::make_groups(uint32_t stack, std::vector<Hypo>& hypotheses) {
  std::ranges::stable_sort(hypotheses, std::greater(), &Hypo::expected);
  size_t kept = std::min<size_t>(hypotheses.size(), options_.stack_size);
  if (options_.stack_threshold > 0)
    while (kept > 1 && hypotheses[kept - 1].expected < hypotheses[0].expected - options_.stack_threshold) --kept;
  auto& groups = stacks_[stack];
  for (size_t i = 0; i < kept; ++i) {
    const CoverageState at = coverage_state(hypotheses[i].node);
    const Coverage coverage{at.first_gap, at.beyond};
    auto group = std::ranges::find_if(
        groups, [&](const Group& other) { return other.coverage == coverage && other.last_end == at.last_end; });
    if (group == groups.end()) group = groups.insert(groups.end(), {coverage, at.last_end, {}});
    // Of one group all have the same future, so they stay in order of their score.
    group->nodes.push_back(hypotheses[i].node);
  }
}

void PhraseSearch::offer_cubes(uint32_t stack) {
  const double weight = pricer_.features().weight(distortion);
  for (uint32_t index = 0; index < stacks_[stack].size(); ++index) {
    const Group& group = stacks_[stack][index];
    const uint32_t first = group.coverage.first_gap;
    const uint32_t last = std::min(size_ - 1, std::max(first, group.last_end) + options_.distortion_limit);
    for (uint32_t begin = first; begin <= last; ++begin) {
      if (group.coverage.covers(begin)) continue;
      for (const PhraseOption& option : phrases_[begin]) {
        if (!fits(group.coverage, group.last_end, begin, option.end)) continue;
        const Coverage coverage = group.coverage.with(begin, option.end);
        cubes_[stack + option.end - begin].push_back({stack, index, begin, option.end, option.rules, coverage,
                                                      -weight * jump(group.last_end, begin), future_.of(coverage)});
      }
    }
  }
}

double PhraseSearch::order_score(const Node* before, const ScoredRule& rule, uint32_t begin, uint32_t end) const {
  if (!reordering_) return 0;
  const CoverageState at = coverage_state(before);
  const Orientation which = orientation(at.last_begin, at.last_end, begin, end);
  const FeatureSet& set = pricer_.features();
  double total = 0;
  auto add = [&](const ScoredRule& of, bool after) {
    const FeatureValue value = reordering_value(of, after, which);
    total += set.weight(value.id) * value.value;
  };
  if (const ScoredRule* last = reinterpret_cast<const ScoredRule*>(static_cast<uintptr_t>(at.last_rule)))
    add(*last, true);
  add(rule, false);
  return total;
}

void PhraseSearch::queue(uint32_t stack, uint32_t index, uint32_t hypothesis, uint32_t rule_rank) {
  const PhraseCube& cube = cubes_[stack][index];
  const Node* before = stacks_[cube.stack][cube.group].nodes[hypothesis];
  const ScoredRule& rule = *cube.rules[rule_rank];
  const double shared = before->score + cube.order_score + order_score(before, rule, cube.begin, cube.end);
  queue_.push_back({shared + rule.estimate + cube.future, static_cast<uint32_t>(expansions_.size())});
  std::ranges::push_heap(queue_, Worse());
  expansions_.push_back({shared + rule.score, nullptr, index, hypothesis, rule_rank & 0x7fffffff, 0});
}

// Language models are asked about the first of the queue. Those that gain from it are asked about others that stand
// near its front as well: nearly all of them will come to it, and nothing depends on who was asked when.
void PhraseSearch::score(uint32_t stack, PhraseExpansion& first) {
  asked_.assign(1, &first);
  if (scorer_.models().gains_from_batches())
    for (const Queued& queued : std::span(queue_).first(std::min<size_t>(queue_.size(), look_ahead)))
      if (PhraseExpansion& candidate = expansions_[queued.number]; !candidate.state) asked_.push_back(&candidate);
  asked_phrases_.clear();
  for (PhraseExpansion* candidate : asked_) {
    const PhraseCube& cube = cubes_[stack][candidate->cube];
    const ScoredRule& rule = *cube.rules[candidate->rule];
    const CoverageState at{cube.coverage.beyond,
                           has_reordering(rule) ? reinterpret_cast<uintptr_t>(&rule) : uintptr_t{0},
                           cube.coverage.first_gap,
                           reordering_ ? cube.begin : 0,
                           cube.end,
                           0};
    candidate->state = scratch_.bytes(state_bytes_);
    std::memset(candidate->state, 0, state_bytes_);
    std::memcpy(candidate->state, &at, sizeof at);
    const Node* before = stacks_[cube.stack][cube.group].nodes[candidate->hypothesis];
    asked_phrases_.push_back(
        {&rule, cube.begin, before->state + sizeof(CoverageState), candidate->state + sizeof(CoverageState), 0});
  }
  scorer_.score_phrases(asked_phrases_);
  for (size_t i = 0; i < asked_.size(); ++i) asked_[i]->score += asked_phrases_[i].score;
  scored_ += asked_.size();
}

void PhraseSearch::fill(uint32_t stack, std::vector<Hypo>& hypotheses) {
  scratch_.clear();
  queue_.clear();
  taken_.clear();
  expansions_.clear();
  const auto& cubes = cubes_[stack];
  for (uint32_t cube = 0; cube < cubes.size(); ++cube) queue(stack, cube, 0, 0);
  const uint32_t pop_limit = limits_.pops(size_ - stack + 1, sizeof(Edge) + sizeof(Node) + state_bytes_);
  while (!queue_.empty() && taken_.size() < pop_limit) {
    std::ranges::pop_heap(queue_, Worse());
    Queued first = queue_.back();
    queue_.pop_back();
    if (const PhraseExpansion candidate = expansions_[first.number]; !candidate.settled) {
      const PhraseCube& cube = cubes[candidate.cube];
      // Its neighbours are in the queue from now on; where what the language models say puts it behind another, it goes
      // back.
      if (candidate.rule == 0 && candidate.hypothesis + 1 < stacks_[cube.stack][cube.group].nodes.size())
        queue(stack, candidate.cube, candidate.hypothesis + 1, 0);
      if (candidate.rule + 1u < cube.rules.size())
        queue(stack, candidate.cube, candidate.hypothesis, candidate.rule + 1);
      PhraseExpansion& settled = expansions_[first.number];
      if (!settled.state) score(stack, settled);
      settled.settled = 1;
      first.expected = settled.score + cube.future;
      if (!queue_.empty() && Worse()(first, queue_.front())) {
        queue_.push_back(first);
        std::ranges::push_heap(queue_, Worse());
        continue;
      }
    }
    if (is_possible(expansions_[first.number].score)) taken_.push_back(first);
  }
  pops_ += taken_.size();
  std::ranges::sort(taken_, [](const Queued& left, const Queued& right) { return Worse()(right, left); });
  recombination_.start(taken_.size());
  std::vector<double> expected;
  for (const Queued& queued : taken_) {
    const PhraseExpansion& candidate = expansions_[queued.number];
    const PhraseCube& cube = cubes[candidate.cube];
    const Node* before = stacks_[cube.stack][cube.group].nodes[candidate.hypothesis];
    const Edge edge{cube.rules[candidate.rule], {before, nullptr}, nullptr, candidate.score, cube.begin, cube.end};
    if (recombination_.add(edge, candidate.state)) expected.push_back(queued.expected);
  }
  size_t number = 0;
  for (const Node& node : recombination_.finish()) hypotheses.push_back({&node, expected[number++]});
  cubes_[stack] = {};
}

const Node* PhraseSearch::finish() {
  ScoredRule end{};
  end.kind = RuleKind::goal;
  pricer_.prepare(end, arena_);
  const ScoredRule* rule = arena_.make<ScoredRule>(end);
  Node* goal = arena_.make<Node>(Node{nullptr, 0, nullptr, 0, size_});
  std::vector<std::byte> state(state_bytes_);  // nobody looks at it
  std::vector<Edge*> edges;
  asked_phrases_.clear();
  for (const Group& group : stacks_[size_])
    for (const Node* node : group.nodes) {
      edges.push_back(arena_.make<Edge>(Edge{rule, {node, nullptr}, nullptr, node->score, size_, size_}));
      edges.back()->score += order_score(node, *rule, size_, size_);
      asked_phrases_.push_back(
          {rule, size_ - 1, node->state + sizeof(CoverageState), state.data() + sizeof(CoverageState), 0});
    }
  scorer_.score_phrases(asked_phrases_);
  for (size_t i = 0; i < edges.size(); ++i) {
    edges[i]->score += asked_phrases_[i].score;
    if (is_possible(edges[i]->score)) add_edge(*goal, *edges[i]);
  }
  return goal->edges ? goal : nullptr;
}

SearchResult PhraseSearch::run() {
  find_options();
  std::vector<std::vector<Hypo>> hypotheses = starts();
  for (uint32_t stack = 0; stack <= size_; ++stack) {
    if (stack > 0) fill(stack, hypotheses[stack]);
    make_groups(stack, hypotheses[stack]);
    if (stack < size_) offer_cubes(stack);
  }
  SearchResult result;
  result.goal = finish();
  result.narrowed = limits_.narrowed();
  result.pops = pops_;
  result.scored = scored_;
  result.starts = std::move(begun_);
  return result;
}

}  // namespace

SearchResult search_phrase_based(const SearchTask& task) { return PhraseSearch(task).run(); }

}  // namespace dragoman::search
