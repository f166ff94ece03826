#include "extract/exact_matcher.h"

#include <algorithm>
#include <bit>

namespace dragoman {
namespace {

// Occurrences in the first round, and how much larger each round's share of the text is than the one before.
constexpr uint64_t first_round = 4096;
constexpr uint64_t round_growth = 4;
// How many occurrences ahead the text is fetched.
constexpr size_t ahead = 8;
// Words that are looked at together.
constexpr uint32_t block_words = 32;
constexpr uint32_t first_bit = uint32_t{1} << 31;

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
  for (WordFilter* filter : {&before_, &after_}) {
    filter->clear();
    filter->add(Vocabulary::separator);
  }
  partner_ids_.clear();
  pairs_.clear();
  partners_.clear();
  words_.clear();
  any_pairs_ = false;
  filled_ = 0;
  some_before_ = some_after_ = false;
  all_before_ = all_after_ = true;
  for (uint32_t i = 0; i < goals.size(); ++i) {
    const PatternNode& node = (*trie_)[goals[i]->node];
    const uint32_t at = goals[i]->anchor_phrase;
    (at > 0 ? some_before_ : all_before_) = at > 0;
    (at + 1u < node.phrase_count ? some_after_ : all_after_) = at + 1u < node.phrase_count;
    if (node.phrase_count == 2) {
      Partner& other = partners_[partner(node.phrases[1 - at])];
      (at == 0 ? other.goal_after : other.goal_before) = i;
      (at == 0 ? after_ : before_).add(words_[other.words]);
      continue;
    }
    const uint32_t first = partner(node.phrases[at == 0 ? 1 : 0]), second = partner(node.phrases[at == 2 ? 1 : 2]);
    const Side side = at == 0 ? Side::both_right : at == 1 ? Side::around : Side::both_left;
    (at == 0 ? partners_[first].pairs_right : partners_[first].pairs_left) = true;
    (at == 2 ? partners_[second].pairs_left : partners_[second].pairs_right) = true;
    (at == 0 ? after_ : before_).add(words_[partners_[first].words]);
    (at == 2 ? before_ : after_).add(words_[partners_[second].words]);
    pairs_[pair_key(side, first, second)] = i;
    any_pairs_ = true;
  }
}

// Adds the partners that begin at a position and end by `limit`; false if the sentence ends there.
bool ExactMatcher::find_partners(uint64_t position, uint64_t limit, std::vector<Hit>& hits) const {
  const WordId word = bitext_->source(position);
  if (word >= first_words_.size()) return true;
  for (uint32_t id = first_words_[word]; id != FlatMap::absent; id = partners_[id].next_same_first_word) {
    const Partner& found = partners_[id];
    if (position + found.length > limit) continue;
    const WordId* words = words_.data() + found.words;
    uint32_t same = 1;
    while (same < found.length && bitext_->source(position + same) == words[same]) ++same;
    if (same == found.length) hits.push_back({id, position});
  }
  return word != Vocabulary::separator;
}

// Asks `word_at(0)` to `word_at(count - 1)` whether they may begin a partner; the first in the highest of `count` bits.
// Few words do, and which is not to be foretold, so there are no branches here.
template <class WordAt>
uint32_t ExactMatcher::may_begin(const WordFilter& filter, uint32_t count, WordAt&& word_at) {
  uint32_t known = 0;
  for (uint32_t i = 0; i < count; ++i) known = 2 * known + filter.bit(word_at(i));
  cost_.comparisons += count;
  return known << (block_words - count);
}

// The partners from a gap after `begin` to `limit`, or to the end of the sentence.
void ExactMatcher::find_after(uint64_t begin, uint64_t limit) {
  const uint64_t gap_end = std::min(begin + options_.min_gap_size, limit);
  for (uint64_t at = begin; at < gap_end; ++at)
    if (bitext_->source(at) == Vocabulary::separator) return;
  for (uint64_t from = gap_end; from < limit; from += block_words) {
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(block_words, limit - from));
    uint32_t known = may_begin(after_, count, [&](uint32_t i) { return bitext_->source(from + i); });
    for (; known != 0; known &= ~(first_bit >> std::countl_zero(known)))
      if (!find_partners(from + static_cast<uint32_t>(std::countl_zero(known)), limit, right_)) return;
  }
}

// The same from `limit`, or from where the sentence begins, to a gap before `end`.
void ExactMatcher::find_before(uint64_t end, uint64_t limit) {
  const uint64_t gap_begin = std::max(end, limit + options_.min_gap_size) - options_.min_gap_size;
  for (uint64_t at = gap_begin; at < end; ++at)
    if (bitext_->source(at) == Vocabulary::separator) return;
  bool within = true;
  for (uint64_t to = gap_begin; within && to > limit;) {
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(block_words, to - limit));
    uint32_t known = may_begin(before_, count, [&](uint32_t i) { return bitext_->source(to - 1 - i); });
    for (; within && known != 0; known &= ~(first_bit >> std::countl_zero(known)))
      within = find_partners(to - 1 - static_cast<uint32_t>(std::countl_zero(known)), gap_begin, left_);
    to -= count;
  }
  std::reverse(left_.begin(), left_.end());
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
  const uint64_t span = options_.max_rule_span, gap = options_.min_gap_size;
  const uint64_t reach = span > anchor_length_ ? span - anchor_length_ : 0;
  const uint64_t text = bitext_->source_size(), after = std::min(begin + anchor_length_, text);
  const auto look_after = [&] {
    right_.clear();
    if (some_after_) find_after(after, std::min(after + reach, text));
    return !right_.empty() || !all_after_;
  };
  const auto look_before = [&] {
    left_.clear();
    if (some_before_) find_before(begin, begin > reach ? begin - reach : 0);
    return !left_.empty() || !all_before_;
  };
  // A side that all goals need is looked at first: often that is the end of it.
  if (all_before_ ? !look_before() || !look_after() : !look_after() || !look_before()) return;

  // Partners lie within `span` of the far end of the anchor.
  for (const Hit& hit : right_)
    if (const uint32_t goal = partners_[hit.partner].goal_after; goal != FlatMap::absent)
      push(*goals[goal], begin, make_match(begin, hit.begin - begin));
  for (const Hit& hit : left_)
    if (const uint32_t goal = partners_[hit.partner].goal_before; goal != FlatMap::absent)
      push(*goals[goal], begin, make_match(hit.begin, begin - hit.begin));
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
             make_match(begin, right_[i].begin - begin, right_[j].begin - begin));
  }
  for (size_t i = 0; i < left_.size(); ++i) {
    const Partner& first = partners_[left_[i].partner];
    if (!first.pairs_left) continue;
    const uint64_t match_at = left_[i].begin;
    for (size_t j = i + 1; j < left_.size(); ++j)
      if (partners_[left_[j].partner].pairs_left && left_[j].begin >= left_[i].begin + first.length + gap)
        pair(Side::both_left, left_[i], left_[j],
             make_match(match_at, left_[j].begin - left_[i].begin, begin - left_[i].begin));
    for (const Hit& second : right_)
      if (partners_[second.partner].pairs_right &&
          second.begin + partners_[second.partner].length <= left_[i].begin + span)
        pair(Side::around, left_[i], second,
             make_match(match_at, begin - left_[i].begin, second.begin - left_[i].begin));
  }
}

}  // namespace dragoman
