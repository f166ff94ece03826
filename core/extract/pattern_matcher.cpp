#include "extract/pattern_matcher.h"

#include <algorithm>

namespace dragoman {
namespace {

// Occurrences from which on a pattern is looked for, and kept, in the cache.
constexpr uint64_t worth_keeping_from = 32;

}  // namespace

PatternMatcher::PatternMatcher(const Index& index, const ExtractOptions& options)
    : index_(index),
      options_(options),
      use_frequent_(index.frequent && index.frequent->serves(options)),
      list_matcher_(index.bitext, options, cost_),
      exact_matcher_(index.bitext, options, cost_) {
  validate(options);
}

bool PatternMatcher::worth_keeping(const PatternTrie& trie, uint32_t node) {
  for (uint32_t phrase = 0; phrase < trie[node].phrase_count; ++phrase)
    if (trie[trie[node].phrases[phrase]].occurrences() < worth_keeping_from) return false;
  return true;
}

void PatternMatcher::match(std::span<const WordId> input, TextRange excluded, PatternTrie& trie, RuleCache* cache) {
  trie_ = &trie;
  cache_ = cache;
  excluded_ = excluded;
  trie.clear();
  levels_.clear();
  levels_.resize(1);
  for (auto& nodes : gapped_) nodes.clear();
  has_gapped_children_.assign(1, 0);
  for (auto& list : lists_) list.clear();
  filter_.clear();
  for (WordId word : input) filter_.add(word);
  list_matcher_.start(trie, excluded);

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
    for (const State& state : states) {
      if (trie[state.node].dead) continue;
      trie[state.node].variants |= variants_with_room(state, input.size());
      extend(state, input);
    }
    if (options_.matching != Matching::bounded || first_new == trie.size()) continue;
    uint32_t last = PatternTrie::none;
    std::sort(states.begin(), states.end());
    for (const State& state : states) {
      if (state.node != last && state.node < has_gapped_children_.size() && has_gapped_children_[state.node])
        feed_children(state.node);
      last = state.node;
    }
  }
  if (options_.matching == Matching::exact) {
    std::vector<uint32_t> open;
    for (const auto& nodes : gapped_)
      for (uint32_t node : nodes)
        if (!trie[node].dead && !sample_frequent(node)) open.push_back(node);
    exact_matcher_.match(trie, open, excluded);
    // The others are kept with their rules.
    if (cache_)
      for (uint32_t node : open)
        if (trie[node].dead && worth_keeping(trie, node)) cache_->keep_dead(trie.symbols(node));
  }
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
  if (!made.dead) sample_contiguous(child);
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

// The interval of the suffixes that go on with the node's last word, inside the parent's interval.
void PatternMatcher::narrow(uint32_t node) {
  PatternNode& made = (*trie_)[node];
  const PatternNode& parent = (*trie_)[made.parent];
  const IndexedBitext& bitext = index_.bitext;
  const uint32_t depth = parent.symbols;
  auto bound = [&](uint64_t low, uint64_t high, bool upper) {
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      const WordId word = bitext.source_or_separator(bitext.suffix(middle) + depth);
      if (word < made.word || (upper && word == made.word))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  const uint64_t high = made.parent == PatternTrie::root ? bitext.source_tokens() : parent.ranks_end;
  const uint64_t low = made.parent == PatternTrie::root ? 0 : parent.ranks_begin;
  made.ranks_begin = bound(low, high, false);
  made.ranks_end = bound(made.ranks_begin, high, true);
}

void PatternMatcher::sample_contiguous(uint32_t node) {
  if (recall(node) || sample_frequent(node)) return;
  const PatternNode& made = (*trie_)[node];
  const size_t most = options_.max_samples;
  std::vector<Match> found;
  found.reserve(std::min<uint64_t>(made.occurrences(), 2 * most));
  uint64_t limit = UINT64_MAX;
  for (uint64_t rank = made.ranks_begin; rank < made.ranks_end; ++rank) {
    const uint64_t begin = index_.bitext.suffix(rank);
    if (begin >= limit || excluded_.contains(begin)) continue;
    found.push_back(make_match(begin));
    if (found.size() < 2 * most) continue;
    std::nth_element(found.begin(), found.begin() + static_cast<ptrdiff_t>(most), found.end());
    limit = match_begin(found[most]);
    found.resize(most);
  }
  keep_sample(found, most);
  trie_->set_sample(node, found);
}

bool PatternMatcher::recall(uint32_t node) {
  if (!cache_ || !worth_keeping(*trie_, node)) return false;
  if (!cache_->sample(trie_->symbols(node), recalled_)) return false;
  trie_->set_sample(node, recalled_);
  (*trie_)[node].dead = recalled_.empty();
  return true;
}

bool PatternMatcher::sample_frequent(uint32_t node) {
  if (!use_frequent_) return false;
  const auto entry = index_.frequent->find(trie_->symbols(node));
  if (!entry) return false;
  std::vector<Match> found;
  for (uint64_t i = entry->begin; i < entry->end && found.size() < options_.max_samples; ++i) {
    const Match match = index_.frequent->match(i);
    const bool in_order = i == entry->begin || match > index_.frequent->match(i - 1);
    if (match_begin(match) >= index_.bitext.source_size() || !in_order ||
        ((*trie_)[node].contiguous() && match != make_match(match_begin(match))))
      index_.bitext.fail("source", "does not fit the frequent patterns beside it");
    if (!excluded_.contains(match_begin(match))) found.push_back(match);
  }
  if (found.size() < options_.max_samples && !entry->complete) return false;
  trie_->set_sample(node, found);
  if (found.empty()) (*trie_)[node].dead = !(*trie_)[node].contiguous();
  return true;
}

void PatternMatcher::finish_level(uint32_t level) {
  if (level >= gapped_.size()) return;
  for (uint32_t node : gapped_[level]) {
    switch (options_.matching) {
      case Matching::exact:
        break;
      case Matching::bounded:
        if (node < lists_.size()) {
          keep_sample(lists_[node], options_.max_samples);
          trie_->set_sample(node, lists_[node]);
          lists_[node].clear();
        }
        break;
      case Matching::extend:
        list_matcher_.extend(node);
        break;
      case Matching::merge:
        list_matcher_.merge(node);
        break;
    }
    if (options_.matching != Matching::exact) (*trie_)[node].dead = trie_->sample(node).empty();
  }
  if (options_.matching == Matching::extend || options_.matching == Matching::merge) list_matcher_.forget(level);
}

// One pass over the sample of a node finds the matches of all its children.
void PatternMatcher::feed_children(uint32_t node) {
  const PatternNode& made = (*trie_)[node];
  const IndexedBitext& bitext = index_.bitext;
  const uint32_t last = made.phrase_count - 1u;
  const uint32_t last_length = trie_->phrase_length(node, last);
  lists_.resize(std::max<size_t>(lists_.size(), trie_->size()));
  const bool may_gap = made.phrase_count <= options_.max_nonterminals;
  auto send = [&](bool gap, WordId word, Match match) {
    const uint32_t child = trie_->child(node, gap, word);
    if (child != PatternTrie::none && !(*trie_)[child].dead) lists_[child].push_back(match);
  };
  for (Match match : trie_->sample(node)) {
    const uint64_t begin = match_begin(match);
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
}

}  // namespace dragoman
