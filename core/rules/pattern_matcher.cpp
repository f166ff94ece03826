#include "rules/pattern_matcher.h"

#include <algorithm>

namespace dragoman::rules {
namespace {

// A pattern is kept in the cache if its rarest phrase begins at one word in so many, and at so many words. Rarer ones
// are found fast and come again seldom; they would only drive out those that pay.
constexpr uint64_t kept_one_in = 1024, kept_least = 32;

// A few microseconds each.
constexpr size_t states_between_checks = 256;

// The baselines work on one text with complete lists; where there are more, `exact` finds the same.
ExtractOptions usable(const Snapshot& snapshot, ExtractOptions options) {
  const bool list = options.matching == Matching::extend || options.matching == Matching::merge;
  if (snapshot.segments() > 1 && list) options.matching = Matching::exact;
  return options;
}

}  // namespace

PatternMatcher::PatternMatcher(const Workspace& workspace, const ExtractOptions& options)
    : workspace_(workspace),
      snapshot_(workspace.snapshot()),
      bitext_(snapshot_.index().bitext),
      options_(usable(snapshot_, options)),
      worth_keeping_from_(std::max(kept_least, bitext_.source_size() / kept_one_in)),
      more_ranks_(snapshot_.segments() - 1),
      list_matcher_(bitext_, options, cost_),
      exact_matcher_(options, cost_) {
  validate(options);
}

bool PatternMatcher::worth_keeping(uint32_t node) const {
  const PatternTrie& trie = *trie_;
  for (uint32_t phrase = 0; phrase < trie[node].phrase_count; ++phrase)
    if (trie[trie[node].phrases[phrase]].occurrences() < worth_keeping_from_) return false;
  return true;
}

void PatternMatcher::match(std::span<const WordId> input, std::optional<SentencePlace> excluded, PatternTrie& trie,
                           RuleCache* cache, Interrupt* interrupt) {
  trie_ = &trie;
  cache_ = cache;
  interrupt_ = interrupt;
  excluded_.clear();
  for (uint32_t segment = 0; segment < snapshot_.segments(); ++segment)
    excluded_.push_back(snapshot_.excluded(segment));
  if (excluded)
    excluded_[Snapshot::segment_of(*excluded)].range =
        snapshot_.bitext_of(*excluded).source_range(Snapshot::number_of(*excluded));
  contiguous_.clear();
  trie.clear();
  levels_.clear();
  levels_.resize(1);
  for (auto& nodes : gapped_) nodes.clear();
  has_gapped_children_.assign(1, 0);
  filter_.clear();
  for (WordId word : input) filter_.add(word);
  list_matcher_.start(trie, excluded_[0]);

  for (uint32_t begin = 0; begin < input.size(); ++begin)
    if (input[begin] != Vocabulary::unknown) levels_[0].push_back({PatternTrie::root, begin, begin});
  for (uint32_t level = 0; level < levels_.size(); ++level) {
    finish_level(level);
    std::vector<State> states = std::move(levels_[level]);
    // A pattern that fits the same input span in several ways (a repeated word around a gap) is extended once.
    if (level > 2) {
      std::sort(states.begin(), states.end());
      states.erase(std::unique(states.begin(), states.end()), states.end());
    }
    const uint32_t first_new = trie.size();
    for (size_t i = 0; i < states.size(); ++i) {
      const State& state = states[i];
      if (i % states_between_checks == 0) check(interrupt);
      if (trie[state.node].dead) continue;
      trie[state.node].variants |= variants_with_room(state, input.size());
      extend(state, input);
    }
    if (options_.matching != Matching::bounded || first_new == trie.size()) continue;
    uint32_t last = PatternTrie::none;
    std::sort(states.begin(), states.end());
    for (const State& state : states) {
      check(interrupt);
      if (state.node != last && state.node < has_gapped_children_.size() && has_gapped_children_[state.node])
        feed_children(state.node);
      last = state.node;
    }
  }
  if (options_.matching == Matching::exact) match_exactly();
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
  if (!hopeless) narrow(child);
  PatternNode& made = (*trie_)[child];
  made.dead = made.occurrences() == 0;
  const bool recalled = !made.dead && recall(child);
  if (!made.dead && !recalled) sample_contiguous(child);
  if (!more_ranks_.empty() && !hopeless) {
    narrow_more(child);
    if (!recalled) sample_more(child);
  }
  return child;
}

uint32_t PatternMatcher::add_gapped(uint32_t node, bool gap, WordId word) {
  if (const uint32_t known = trie_->child(node, gap, word); known != PatternTrie::none) return known;
  const PatternNode& parent = (*trie_)[node];
  uint32_t suffix =
      parent.symbols == 1 ? trie_->child(PatternTrie::root, false, word) : trie_->child(parent.suffix, gap, word);
  // In bounded matching the suffix has a sample of its own, which says nothing about this pattern.
  bool hopeless = options_.matching != Matching::bounded && (suffix == PatternTrie::none || (*trie_)[suffix].dead);
  if (suffix == PatternTrie::none) suffix = PatternTrie::root;
  const uint32_t child = trie_->add(node, gap, word, suffix);
  PatternNode& made = (*trie_)[child];
  const uint32_t last = made.phrases[made.phrase_count - 1];
  made.dead = hopeless || last == PatternTrie::none || (*trie_)[last].dead;
  if (made.dead || recall(child)) return child;
  if (gapped_.size() <= made.symbols) gapped_.resize(made.symbols + 1);
  gapped_[made.symbols].push_back(child);
  if (has_gapped_children_.size() <= node) has_gapped_children_.resize(node + 1, 0);
  has_gapped_children_[node] = 1;
  ++cost_.gapped_patterns;
  return child;
}

void PatternMatcher::narrow(uint32_t node) {
  PatternNode& made = (*trie_)[node];
  const PatternNode& parent = (*trie_)[made.parent];
  const bool first = made.parent == PatternTrie::root;
  const TextSpan found = dragoman::index::narrow(
      bitext_, first ? TextSpan{0, bitext_.source_tokens()} : TextSpan{parent.ranks_begin, parent.ranks_end},
      parent.symbols, made.word);
  made.ranks_begin = found.begin;
  made.ranks_end = found.end;
}

void PatternMatcher::narrow_more(uint32_t node) {
  const PatternNode& made = (*trie_)[node];
  contiguous_.push_back(node);
  for (uint32_t segment = 1; segment < snapshot_.segments(); ++segment) {
    const IndexedBitext& bitext = snapshot_.bitext(segment);
    std::vector<TextSpan>& ranks = more_ranks_[segment - 1];
    if (ranks.size() <= node) ranks.resize(node + 64);
    const bool first = made.parent == PatternTrie::root;
    const TextSpan within = first ? TextSpan{0, bitext.source_tokens()} : ranks[made.parent];
    ranks[node] = within.begin < within.end
                      ? dragoman::index::narrow(bitext, within, (*trie_)[made.parent].symbols, made.word)
                      : TextSpan{};
  }
}

void PatternMatcher::sample_contiguous(uint32_t node) {
  std::vector<Match> found;
  sample_ranks(bitext_, {(*trie_)[node].ranks_begin, (*trie_)[node].ranks_end}, excluded_[0], options_.max_samples,
               found);
  trie_->set_sample(node, found);
}

void PatternMatcher::sample_more(uint32_t node) {
  std::vector<Match> found;
  for (uint32_t segment = 1; segment < snapshot_.segments(); ++segment) {
    const TextSpan ranks = more_ranks_[segment - 1][node];
    if (ranks.begin == ranks.end) continue;
    (*trie_)[node].dead = false;
    sample_ranks(snapshot_.bitext(segment), ranks, excluded_[segment], options_.max_samples, found);
    merge_sample(node, segment, trie_->sample(node), found);
  }
}

void PatternMatcher::merge_sample(uint32_t node, uint32_t segment, std::span<const Match> before,
                                  std::span<const Match> more) {
  if (more.empty()) return;
  tagged_.clear();
  for (Match match : more) tagged_.push_back(in_segment(match, segment));
  snapshot_.merge_samples(before, tagged_, options_.max_samples, merged_);
  trie_->set_sample(node, merged_);
}

// The exact matcher at work in another segment: for that time the intervals of phrases are those of the segment.
void PatternMatcher::match_more(uint32_t segment, std::span<const uint32_t> nodes) {
  PatternTrie& trie = *trie_;
  std::vector<TextSpan>& ranks = more_ranks_[segment - 1];
  auto exchange = [&] {
    for (uint32_t node : contiguous_) {
      std::swap(trie[node].ranks_begin, ranks[node].begin);
      std::swap(trie[node].ranks_end, ranks[node].end);
    }
  };
  exchange();
  struct Open {
    uint64_t matches_begin, matches_end;
    bool dead;
  };
  std::vector<uint32_t> open;
  std::vector<Open> before;
  for (uint32_t node : nodes) {
    const PatternNode& made = trie[node];
    bool possible = true;
    for (uint32_t phrase = 0; possible && phrase < made.phrase_count; ++phrase)
      possible = trie[made.phrases[phrase]].occurrences() > 0;
    if (!possible) continue;
    open.push_back(node);
    before.push_back({made.matches_begin, made.matches_end, made.dead});
  }
  exact_matcher_.match(workspace_.front(segment), trie, open, excluded_[segment], interrupt_);
  exchange();
  std::vector<Match> ours, theirs;
  for (size_t i = 0; i < open.size(); ++i) {
    PatternNode& made = trie[open[i]];
    if (made.dead) {
      made.dead = before[i].dead;
      made.matches_begin = before[i].matches_begin;
      made.matches_end = before[i].matches_end;
      continue;
    }
    const auto found = trie.sample(open[i]);
    theirs.assign(found.begin(), found.end());
    made.matches_begin = before[i].matches_begin;
    made.matches_end = before[i].matches_end;
    const auto known = trie.sample(open[i]);
    ours.assign(known.begin(), known.end());
    merge_sample(open[i], segment, ours, theirs);
  }
}

// What is kept is the sample over all segments, so that nothing needs to be merged into it.
bool PatternMatcher::recall(uint32_t node) {
  if (!cache_ || !worth_keeping(node)) return false;
  if (!cache_->sample(trie_->symbols(node), recalled_, packed_)) return false;
  trie_->set_sample(node, recalled_);
  // A phrase whose occurrences have all been removed has no matches either, but is not known to be dead.
  if (!(*trie_)[node].contiguous()) (*trie_)[node].dead = recalled_.empty();
  return true;
}

void PatternMatcher::finish_level(uint32_t level) {
  if (level >= gapped_.size()) return;
  switch (options_.matching) {
    case Matching::exact:
      return;  // at the end
    case Matching::bounded:
      break;  // found with those of their prefixes
    case Matching::extend:
      for (uint32_t node : gapped_[level]) list_matcher_.extend(node);
      list_matcher_.forget(level);
      break;
    case Matching::merge:
      for (uint32_t node : gapped_[level]) list_matcher_.merge(node);
      list_matcher_.forget(level);
      break;
  }
  for (uint32_t node : gapped_[level]) (*trie_)[node].dead = trie_->sample(node).empty();
}

// All gapped patterns at once.
void PatternMatcher::match_exactly() {
  PatternTrie& trie = *trie_;
  std::vector<uint32_t> open;
  for (const auto& nodes : gapped_)
    for (uint32_t node : nodes)
      if (!trie[node].dead) open.push_back(node);
  exact_matcher_.match(workspace_.front(0), trie, open, excluded_[0], interrupt_);
  for (uint32_t segment = 1; segment < snapshot_.segments(); ++segment) match_more(segment, open);
  // Those that match nowhere, in no segment; the others are kept with their rules.
  if (cache_)
    for (uint32_t node : open)
      if (trie[node].dead && worth_keeping(node)) cache_->keep_dead(trie.symbols(node), packed_);
}

// One pass over the sample of a node finds the matches of all its children.
void PatternMatcher::feed_children(uint32_t node) {
  const PatternNode& made = (*trie_)[node];
  const uint32_t last = made.phrase_count - 1u;
  const uint32_t last_length = trie_->phrase_length(node, last);
  const bool may_gap = made.phrase_count <= options_.max_nonterminals;
  fed_.clear();
  auto send = [&](bool gap, WordId word, Match match) {
    const uint32_t child = trie_->child(node, gap, word);
    if (child != PatternTrie::none && !(*trie_)[child].dead) fed_.push_back({child, match});
  };
  for (Match match : trie_->sample(node)) {
    const IndexedBitext& bitext = snapshot_.bitext(match_segment(match));
    const uint64_t begin = match_position(match);
    const uint64_t end = begin + match_offset(match, last) + last_length;
    const uint64_t limit = std::min(bitext.source_size(), begin + options_.max_rule_span);
    for (uint64_t at = end; at < limit; ++at) {
      const WordId word = bitext.source(at);
      ++cost_.comparisons;
      if (word == Vocabulary::separator) break;
      if (!filter_.may_hold(word)) continue;
      if (at == end && made.phrase_count > 1) send(false, word, match);
      if (may_gap && at >= end + options_.min_gap_size)
        send(true, word, match | (at - begin) << (made.phrase_count == 1 ? 8 : 0));
    }
  }
  // By child; within one they are in sampling order, as the node's are.
  std::stable_sort(fed_.begin(), fed_.end(), [](const Fed& a, const Fed& b) { return a.child < b.child; });
  std::vector<Match> found;
  for (size_t i = 0; i < fed_.size();) {
    const uint32_t child = fed_[i].child;
    found.clear();
    for (; i < fed_.size() && fed_[i].child == child; ++i)
      if (found.size() < options_.max_samples) found.push_back(fed_[i].match);
    trie_->set_sample(child, found);
  }
}

}  // namespace dragoman::rules
