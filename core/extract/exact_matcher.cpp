#include "extract/exact_matcher.h"

#include <algorithm>

namespace dragoman {
namespace {

// Occurrences in the first round, and how much larger each round's share of the text is than the one before.
constexpr uint64_t first_round = 4096;
constexpr uint64_t round_growth = 4;
// How many occurrences ahead the text is fetched.
constexpr size_t ahead = 8;

// By digits of 11 bits: lists of occurrences are long and their keys short, so that comparing would cost more.
void sort_positions(std::vector<uint64_t>& positions, std::vector<uint64_t>& scratch, uint64_t largest) {
  constexpr uint32_t digit = 11;
  if (positions.size() < 256) {
    std::sort(positions.begin(), positions.end());
    return;
  }
  scratch.resize(positions.size());
  for (uint32_t shift = 0; shift < bits_for(largest); shift += digit) {
    uint32_t places[(1 << digit) + 1] = {};
    constexpr uint64_t mask = (1 << digit) - 1;
    for (uint64_t each : positions) ++places[(each >> shift & mask) + 1];
    for (uint32_t i = 0; i < mask; ++i) places[i + 1] += places[i];
    for (uint64_t each : positions) scratch[places[each >> shift & mask]++] = each;
    positions.swap(scratch);
  }
}

}  // namespace

void ExactMatcher::match(const IndexedBitext& bitext, PatternTrie& trie, std::span<const uint32_t> nodes,
                         const Exclusion& excluded) {
  bitext_ = &bitext;
  trie_ = &trie;
  excluded_ = excluded;
  std::vector<Goal> goals;
  goals.reserve(nodes.size());
  for (uint32_t node : nodes) {
    Goal goal{.node = node, .anchor = 0, .anchor_phrase = 0, .matches = {}};
    uint64_t fewest = UINT64_MAX;
    for (uint8_t phrase = 0; phrase < trie[node].phrase_count; ++phrase) {
      const uint32_t candidate = trie[node].phrases[phrase];
      if (trie[candidate].occurrences() >= fewest) continue;
      fewest = trie[candidate].occurrences();
      goal.anchor = candidate;
      goal.anchor_phrase = phrase;
    }
    goals.push_back(std::move(goal));
  }
  std::stable_sort(goals.begin(), goals.end(), [](const Goal& a, const Goal& b) { return a.anchor < b.anchor; });
  for (size_t begin = 0, end; begin < goals.size(); begin = end) {
    for (end = begin + 1; end < goals.size() && goals[end].anchor == goals[begin].anchor;) ++end;
    match_anchor(std::span(goals).subspan(begin, end - begin));
  }
}

void ExactMatcher::match_anchor(std::span<Goal> goals) {
  const PatternNode& anchor = (*trie_)[goals[0].anchor];
  anchor_length_ = anchor.symbols;
  std::vector<Goal*> open;
  for (Goal& goal : goals) open.push_back(&goal);

  const uint64_t text = bitext_->source_size();
  const uint64_t reach = options_.max_rule_span > anchor_length_ ? options_.max_rule_span - anchor_length_ : 0;
  uint64_t from = 0;
  double share = anchor.occurrences() <= 2 * first_round ? 1.0 : double(first_round) / double(anchor.occurrences());
  while (from < text && !open.empty()) {
    uint64_t to = share >= 0.5 ? text : static_cast<uint64_t>(double(text) * share);
    // Rounds end with a sentence, so that every match of the sentences so far has been seen.
    if (to < text) to = bitext_->source_range(bitext_->sentence_of(to)).end + 1;
    occurrences_.clear();
    for (uint64_t rank = anchor.ranks_begin; rank < anchor.ranks_end; ++rank) {
      const uint64_t begin = bitext_->suffix(rank);
      if (begin >= from && begin < to && !excluded_.contains(begin)) occurrences_.push_back(begin);
    }
    sort_positions(occurrences_, sorted_, text);
    plan(open);
    for (size_t i = 0; i < occurrences_.size(); ++i) {
      if (i + ahead < occurrences_.size()) {
        const uint64_t next = occurrences_[i + ahead];
        bitext_->fetch_source(next > reach ? next - reach : 0);
        bitext_->fetch_source(std::min(next + anchor_length_ + reach, text - 1));
      }
      // Goals that need no more slow the others down.
      if (filled_ * 4 > open.size()) {
        std::erase_if(open, [&](const Goal* goal) { return goal->stop <= occurrences_[i]; });
        if (open.empty()) break;
        plan(open);
      }
      visit(occurrences_[i], open);
    }
    std::erase_if(open, [&](const Goal* goal) { return goal->stop != UINT64_MAX; });
    from = to;
    share *= round_growth;
  }
  for (Goal& goal : goals) {
    keep_sample(goal.matches, options_.max_samples);
    trie_->set_sample(goal.node, goal.matches);
    (*trie_)[goal.node].dead = goal.matches.empty();
    std::vector<Match>().swap(goal.matches);
  }
}

uint32_t ExactMatcher::partner(uint32_t node) {
  uint32_t& id = partner_ids_[node];
  if (id != FlatMap::absent) return id;
  id = static_cast<uint32_t>(partners_.size());
  const auto words = trie_->symbols(node);
  if (first_words_.size() <= words[0]) first_words_.resize(words[0] + size_t{1}, FlatMap::absent);
  uint32_t& same = first_words_[words[0]];
  partners_.push_back({node, static_cast<uint32_t>(words.size()), same, FlatMap::absent, FlatMap::absent, false, false,
                       static_cast<uint32_t>(words_.size())});
  same = id;
  words_.insert(words_.end(), words.begin(), words.end());
  return id;
}

void ExactMatcher::plan(std::span<Goal*> goals) {
  for (const Partner& each : partners_) first_words_[words_[each.words]] = FlatMap::absent;
  partner_ids_.clear();
  pairs_.clear();
  partners_.clear();
  words_.clear();
  any_pairs_ = false;
  filled_ = 0;
  for (uint32_t i = 0; i < goals.size(); ++i) {
    const PatternNode& node = (*trie_)[goals[i]->node];
    const uint32_t at = goals[i]->anchor_phrase;
    if (node.phrase_count == 2) {
      Partner& other = partners_[partner(node.phrases[1 - at])];
      (at == 0 ? other.goal_after : other.goal_before) = i;
      continue;
    }
    const uint32_t first = partner(node.phrases[at == 0 ? 1 : 0]), second = partner(node.phrases[at == 2 ? 1 : 2]);
    const Side side = at == 0 ? Side::both_right : at == 1 ? Side::around : Side::both_left;
    (at == 0 ? partners_[first].pairs_right : partners_[first].pairs_left) = true;
    (at == 2 ? partners_[second].pairs_left : partners_[second].pairs_right) = true;
    pairs_[pair_key(side, first, second)] = i;
    any_pairs_ = true;
  }
}

void ExactMatcher::find_hits(uint32_t from, uint32_t to, std::vector<Hit>& hits) {
  hits.clear();
  const size_t known = first_words_.size();
  for (uint32_t at = from; at < to; ++at) {
    const WordId word = window_[at];
    if (word >= known) continue;
    for (uint32_t id = first_words_[word]; id != FlatMap::absent; id = partners_[id].next_same_first_word) {
      const Partner& found = partners_[id];
      if (at + found.length > to) continue;
      const WordId* words = words_.data() + found.words;
      if (std::equal(words + 1, words + found.length, window_.begin() + at + 1)) hits.push_back({id, at});
    }
  }
}

// Matches of a sentence are found in the order of its anchors, not of their own, so a sample fills up to its end.
void ExactMatcher::push(Goal& goal, uint64_t begin, Match match) {
  if (begin >= goal.stop) return;
  goal.matches.push_back(match);
  if (goal.matches.size() != options_.max_samples) return;
  goal.stop = bitext_->source_range(bitext_->sentence_of(begin)).end;
  ++filled_;
}

void ExactMatcher::visit(uint64_t begin, std::span<Goal*> goals) {
  const uint32_t span = options_.max_rule_span, gap = options_.min_gap_size;
  const uint32_t reach = span > anchor_length_ ? span - anchor_length_ : 0;
  // The window: up to `reach` words before the anchor, which end at `anchor`, then up to as many after it.
  const uint32_t anchor = reach;
  const uint64_t after = begin + anchor_length_;
  const auto most_left = static_cast<uint32_t>(std::min<uint64_t>(reach, begin));
  const auto most_right = static_cast<uint32_t>(
      std::min<uint64_t>(reach, bitext_->source_size() - std::min(after, bitext_->source_size())));
  window_.resize(2 * reach);
  uint32_t left = 0, right = 0;
  for (WordId word; left < most_left && (word = bitext_->source(begin - left - 1)) != Vocabulary::separator;)
    window_[anchor - ++left] = word;
  for (WordId word; right < most_right && (word = bitext_->source(after + right)) != Vocabulary::separator;)
    window_[anchor + right++] = word;
  cost_.comparisons += left + right;
  const uint64_t low = begin - anchor;  // only ever used in sums with a place in the window, so it may wrap around
  if (left > gap)
    find_hits(anchor - left, anchor - gap, left_);
  else
    left_.clear();
  find_hits(anchor + std::min(gap, right), anchor + right, right_);
  // To the right, places in the window do not count the anchor.
  for (Hit& hit : right_) hit.begin += anchor_length_;

  // Partners were found inside the window, which reaches `span` to either side of the far end of the anchor.
  for (const Hit& hit : right_)
    if (const uint32_t goal = partners_[hit.partner].goal_after; goal != FlatMap::absent)
      push(*goals[goal], begin, make_match(begin, hit.begin - anchor));
  for (const Hit& hit : left_)
    if (const uint32_t goal = partners_[hit.partner].goal_before; goal != FlatMap::absent)
      push(*goals[goal], begin, make_match(low + hit.begin, anchor - hit.begin));
  if (!any_pairs_) return;

  auto pair = [&](Side side, const Hit& first, const Hit& second, Match match) {
    ++cost_.comparisons;
    const uint32_t goal = pairs_.find(pair_key(side, first.partner, second.partner));
    if (goal != FlatMap::absent) push(*goals[goal], begin, match);
  };
  for (size_t i = 0; i < right_.size(); ++i) {
    const Partner& first = partners_[right_[i].partner];
    if (!first.pairs_right) continue;
    for (size_t j = i + 1; j < right_.size(); ++j)
      if (partners_[right_[j].partner].pairs_right && right_[j].begin >= right_[i].begin + first.length + gap)
        pair(Side::both_right, right_[i], right_[j],
             make_match(begin, right_[i].begin - anchor, right_[j].begin - anchor));
  }
  for (size_t i = 0; i < left_.size(); ++i) {
    const Partner& first = partners_[left_[i].partner];
    if (!first.pairs_left) continue;
    const uint64_t match_at = low + left_[i].begin;
    for (size_t j = i + 1; j < left_.size(); ++j)
      if (partners_[left_[j].partner].pairs_left && left_[j].begin >= left_[i].begin + first.length + gap)
        pair(Side::both_left, left_[i], left_[j],
             make_match(match_at, left_[j].begin - left_[i].begin, anchor - left_[i].begin));
    for (const Hit& second : right_)
      if (partners_[second.partner].pairs_right &&
          second.begin + partners_[second.partner].length <= left_[i].begin + span)
        pair(Side::around, left_[i], second,
             make_match(match_at, anchor - left_[i].begin, second.begin - left_[i].begin));
  }
}

}  // namespace dragoman
