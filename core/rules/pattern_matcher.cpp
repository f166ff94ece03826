#include "rules/pattern_matcher.h"

#include <algorithm>

#include "rules/bounded_matcher.h"
#include "rules/exact_matcher.h"
#include "rules/extend_matcher.h"
#include "rules/merge_matcher.h"

namespace dragoman::rules {
namespace {

// A pattern is kept in the cache if its rarest phrase begins at one word in so many, and at so many words. Rarer ones
// are found fast and come again seldom; they would only drive out those that pay.
constexpr uint64_t kept_one_in = 1024, kept_least = 32;

// A few microseconds each.
constexpr size_t states_between_checks = 256;

// What it costs is added up in `cost`.
std::unique_ptr<GapMatcher> make_gap_matcher(const Workspace& workspace, const ExtractOptions& options,
                                             MatchCost& cost) {
  const Snapshot& snapshot = workspace.snapshot();
  // Complete lists are those of one text; where there are more, `exact` finds the same.
  const bool lists = snapshot.segments() == 1;
  if (options.matching == Matching::bounded) return std::make_unique<BoundedMatcher>(snapshot, options, cost);
  if (options.matching == Matching::extend && lists)
    return std::make_unique<ExtendMatcher>(snapshot.bitext(0), options, workspace.frequent(), cost);
  if (options.matching == Matching::merge && lists)
    return std::make_unique<MergeMatcher>(snapshot.bitext(0), options, workspace.frequent(), cost);
  return std::make_unique<ExactMatcher>(workspace, options, cost);
}

}  // namespace

PatternMatcher::PatternMatcher(const Workspace& workspace, const ExtractOptions& options)
    : options_(options),
      worth_keeping_from_(std::max(kept_least, workspace.snapshot().bitext(0).source_size() / kept_one_in)),
      phrases_(workspace.snapshot()),
      samples_(workspace.snapshot(), options.max_samples),
      gaps_(make_gap_matcher(workspace, options, cost_)),
      packed_yields_(options.orientations) {
  validate(options);
}

bool PatternMatcher::worth_keeping(uint32_t node) const {
  const PatternNode& pattern = (*trie_)[node];
  return std::all_of(pattern.phrases, pattern.phrases + pattern.phrase_count,
                     [&](uint32_t phrase) { return phrases_.occurrences(0, phrase) >= worth_keeping_from_; });
}

void PatternMatcher::match(std::span<const WordId> input, std::optional<SentencePlace> excluded, PatternTrie& trie,
                           const Caches& caches, Interrupt* interrupt) {
  trie_ = &trie;
  caches_ = caches;
  trie.clear();
  phrases_.start(trie, excluded);
  samples_.start(trie);
  gaps_->start({input, &trie, &phrases_, &samples_, interrupt});
  levels_.clear();
  levels_.resize(1);
  for (auto& nodes : gapped_) nodes.clear();

  for (uint32_t begin = 0; begin < input.size(); ++begin)
    if (input[begin] != Vocabulary::unknown) levels_[0].push_back({PatternTrie::root, begin, begin});
  for (uint32_t level = 0; level < levels_.size(); ++level) {
    if (level < gapped_.size()) gaps_->match_level(level, gapped_[level]);
    std::vector<State> states = std::move(levels_[level]);
    // A pattern that fits the same input span in several ways (a repeated word around a gap) is extended once.
    if (level > 2) {
      std::sort(states.begin(), states.end());
      states.erase(std::unique(states.begin(), states.end()), states.end());
    }
    parents_.clear();
    for (size_t i = 0; i < states.size(); ++i) {
      const State& state = states[i];
      if (i % states_between_checks == 0) check(interrupt);
      if (trie[state.node].dead) continue;
      trie[state.node].variants |= variants_with_room(state, input.size());
      extend(state, input);
    }
    std::sort(parents_.begin(), parents_.end());
    parents_.erase(std::unique(parents_.begin(), parents_.end()), parents_.end());
    gaps_->match_children(parents_);
  }
  all_gapped_.clear();
  for (const auto& nodes : gapped_) all_gapped_.insert(all_gapped_.end(), nodes.begin(), nodes.end());
  gaps_->match_all(all_gapped_);
  keep_dead();
}

uint8_t PatternMatcher::variants_with_room(const State& state, size_t input_size) const {
  const PatternNode& node = (*trie_)[state.node];
  uint8_t variants = 1 << plain;
  const uint32_t span = state.end - state.begin, gap = options_.min_gap_size;
  const uint32_t gaps = node.phrase_count - 1u;
  auto fits = [&](uint32_t more) {
    return gaps + more <= options_.max_nonterminals && node.symbols + more <= options_.max_rule_symbols &&
           span + more * gap <= options_.max_rule_span;
  };
  const bool left = state.begin >= gap, right = state.end + gap <= input_size;
  if (left && fits(1)) variants |= 1 << gap_left;
  if (right && fits(1)) variants |= 1 << gap_right;
  if (left && right && fits(2)) variants |= 1 << gap_both;
  return state.node == PatternTrie::root ? 0 : variants;
}

void PatternMatcher::extend(const State& state, std::span<const WordId> input) {
  const PatternNode node = (*trie_)[state.node];  // a copy: adding children moves the nodes
  const uint32_t span_end = static_cast<uint32_t>(std::min<size_t>(input.size(), state.begin + options_.max_rule_span));
  const bool within = node.symbols + 1 <= options_.max_rule_symbols && state.end < span_end;
  if (state.end < input.size() && input[state.end] != Vocabulary::unknown &&
      (within || (options_.long_phrases && node.contiguous()))) {
    const WordId word = input[state.end];
    const uint32_t child = node.contiguous() ? add_contiguous(state.node, word) : add_gapped(state.node, false, word);
    add_state(child, state.begin, state.end + 1);
  }
  if (state.node == PatternTrie::root || node.phrase_count > options_.max_nonterminals ||
      node.symbols + 2 > options_.max_rule_symbols)
    return;
  for (uint32_t at = state.end + options_.min_gap_size; at < span_end; ++at)
    if (input[at] != Vocabulary::unknown) add_state(add_gapped(state.node, true, input[at]), state.begin, at + 1);
}

void PatternMatcher::add_state(uint32_t child, uint32_t begin, uint32_t end) {
  const PatternNode& node = (*trie_)[child];
  if (node.dead) return;
  if (levels_.size() <= node.symbols) levels_.resize(node.symbols + 1);
  levels_[node.symbols].push_back({child, begin, end});
}

uint32_t PatternMatcher::add_contiguous(uint32_t node, WordId word) {
  if (const uint32_t known = trie_->child(node, false, word); known != PatternTrie::none) return known;
  const uint32_t suffix =
      node == PatternTrie::root ? PatternTrie::root : trie_->child((*trie_)[node].suffix, false, word);
  const bool hopeless = suffix == PatternTrie::none || (*trie_)[suffix].dead;
  const uint32_t child = trie_->add(node, false, word, hopeless ? PatternTrie::root : suffix);
  (*trie_)[child].dead = hopeless || !phrases_.find(child);
  if (!(*trie_)[child].dead && !recall(child)) phrases_.sample(child, samples_);
  return child;
}

uint32_t PatternMatcher::add_gapped(uint32_t node, bool gap, WordId word) {
  if (const uint32_t known = trie_->child(node, gap, word); known != PatternTrie::none) return known;
  const PatternNode& parent = (*trie_)[node];
  uint32_t suffix =
      parent.symbols == 1 ? trie_->child(PatternTrie::root, false, word) : trie_->child(parent.suffix, gap, word);
  const bool hopeless = gaps_->needs_suffix() && (suffix == PatternTrie::none || (*trie_)[suffix].dead);
  if (suffix == PatternTrie::none) suffix = PatternTrie::root;
  const uint32_t child = trie_->add(node, gap, word, suffix);
  PatternNode& pattern = (*trie_)[child];
  const uint32_t last = pattern.phrases[pattern.phrase_count - 1];
  pattern.dead = hopeless || last == PatternTrie::none || (*trie_)[last].dead;
  if (pattern.dead || recall(child)) return child;
  if (gapped_.size() <= pattern.symbols) gapped_.resize(pattern.symbols + 1);
  gapped_[pattern.symbols].push_back(child);
  parents_.push_back(node);
  ++cost_.gapped_patterns;
  return child;
}

// Whether the whole sample is known; if it is that of the first segment alone, the others remain to be looked at.
bool PatternMatcher::recall(uint32_t node) {
  if (!caches_.rules || !worth_keeping(node)) return false;
  const std::vector<WordId> symbols = trie_->symbols(node);
  if (!caches_.rules->sample(symbols, recalled_, packed_)) {
    if (caches_.base && caches_.base->sample(symbols, recalled_, packed_yields_)) samples_.know_base(node, recalled_);
    return false;
  }
  trie_->set_sample(node, recalled_);
  // A phrase whose occurrences have all been removed has no matches either, but is not known to be dead.
  if (!(*trie_)[node].contiguous()) (*trie_)[node].dead = recalled_.empty();
  return true;
}

// Those that match nowhere, in no segment or not in the first; the others are kept with their rules.
void PatternMatcher::keep_dead() {
  if (!caches_.rules) return;
  for (uint32_t node : all_gapped_) {
    if (!worth_keeping(node)) continue;
    if ((*trie_)[node].dead) caches_.rules->keep_dead(trie_->symbols(node), packed_);
    if (caches_.base && !samples_.knows_base(node) && samples_.base(node).empty())
      caches_.base->keep_dead(trie_->symbols(node), packed_yields_);
  }
}

}  // namespace dragoman::rules
