#include "rules/exact_matcher.h"

#include <algorithm>
#include <bit>

#include "base/radix_sort.h"

namespace dragoman::rules {
namespace {

// Occurrences in the first round, and how many times as far the text has been seen after every further round.
constexpr uint64_t first_round = 4096;
constexpr uint64_t round_growth = 4;
// Goals whose matches are gathered at the same time, so that memory does not grow with the length of the input.
constexpr size_t most_together = 1024;
// How many occurrences ahead the text is fetched.
constexpr size_t occurrences_ahead = 8;
// Visits the words of a sentence that are so far away or farther, less than `end`, and have one of the needed signs.
// Words are looked at a few dozen at a time without branches: where one has a sign is not to be foretold.
template <class Word, class Visit>
void for_each_marked(uint64_t end, uint64_t nearest, const WordSigns& signs, uint32_t needed, Word&& word,
                     Visit&& visit) {
  for (uint64_t from = 0; from < end; from += 64) {
    uint64_t marked = 0, over = 0;
    const uint64_t count = std::min<uint64_t>(end - from, 64);
    for (uint64_t i = 0; i < count; ++i) {
      const WordId at = word(from + i);
      marked |= uint64_t{(signs[at] & needed) != 0} << i;
      over |= uint64_t{at == Vocabulary::separator} << i;
    }
    // Only what comes before the end of the sentence.
    for (marked &= (over & -over) - 1; marked != 0; marked &= marked - 1) {
      const uint64_t away = from + static_cast<uint64_t>(std::countr_zero(marked));
      if (away >= nearest) visit(away);
    }
    if (over != 0) return;
  }
}

void sort_positions(std::vector<uint64_t>& positions, std::vector<uint64_t>& scratch) {
  if (positions.size() < 256)
    std::sort(positions.begin(), positions.end());
  else
    radix_sort(positions, scratch, [](uint64_t position) { return position; });
}

// Visits the goals of one anchor after the other.
template <class Visit>
void for_each_anchor(std::span<Goal> goals, Visit&& visit) {
  for (size_t begin = 0, end; begin < goals.size(); begin = end) {
    for (end = begin + 1; end < goals.size() && goals[end].anchor == goals[begin].anchor;) ++end;
    visit(goals.subspan(begin, end - begin));
  }
}

}  // namespace

void ExactMatcher::start(const Sentence& sentence) {
  sentence_ = sentence;
  trie_ = sentence.trie;
}

void ExactMatcher::match_all(std::span<const uint32_t> nodes) {
  const PhraseSampler& phrases = *sentence_.phrases;
  std::vector<uint32_t> possible;
  for (uint32_t segment = 0; segment < phrases.segments(); ++segment) {
    possible.clear();
    for (uint32_t node : nodes) {
      if (segment == 0 && sentence_.samples->knows_base(node)) continue;
      const PatternNode& pattern = (*trie_)[node];
      if (std::all_of(pattern.phrases, pattern.phrases + pattern.phrase_count,
                      [&](uint32_t phrase) { return phrases.occurrences(segment, phrase) > 0; }))
        possible.push_back(node);
    }
    match(segment, possible);
  }
  for (uint32_t node : nodes) (*sentence_.trie)[node].dead = trie_->sample(node).empty();
}

std::vector<Goal> ExactMatcher::goals_of(std::span<const uint32_t> nodes) const {
  std::vector<Goal> goals;
  goals.reserve(nodes.size());
  for (uint32_t node : nodes) {
    Goal goal{.node = node, .anchor = 0, .anchor_phrase = 0, .anchor_occurrences = UINT64_MAX, .matches = {}};
    for (uint8_t phrase = 0; phrase < (*trie_)[node].phrase_count; ++phrase) {
      const uint32_t candidate = (*trie_)[node].phrases[phrase];
      const uint64_t occurrences = sentence_.phrases->occurrences(segment_, candidate);
      if (occurrences >= goal.anchor_occurrences) continue;
      goal.anchor = candidate;
      goal.anchor_phrase = phrase;
      goal.anchor_occurrences = occurrences;
    }
    goals.push_back(std::move(goal));
  }
  std::stable_sort(goals.begin(), goals.end(), [](const Goal& a, const Goal& b) { return a.anchor < b.anchor; });
  return goals;
}

// Adds the matches in one segment to the samples of these patterns.
void ExactMatcher::match(uint32_t segment, std::span<const uint32_t> nodes) {
  if (nodes.empty()) return;
  segment_ = segment;
  bitext_ = &workspace_.front(segment).bitext();
  excluded_ = sentence_.phrases->excluded(segment);
  std::vector<Goal> goals = goals_of(nodes);
  const FrontPlaces& front = workspace_.front(segment).places();
  const auto others = std::stable_partition(goals.begin(), goals.end(), [&](const Goal& goal) {
    return front_matcher_.serves(*bitext_, front, *trie_, goal);
  });
  const std::span frequent(goals.begin(), others), rest(others, goals.end());
  for (size_t begin = 0; begin < frequent.size(); begin += most_together) {
    check(sentence_.interrupt);
    const auto some = frequent.subspan(begin, std::min(most_together, frequent.size() - begin));
    front_matcher_.match(*bitext_, front, *trie_, some, excluded_);
    for (Goal& goal : some)
      if (goal.full()) goal.settle(*sentence_.samples, segment_);
  }
  auto match_from = [&](std::span<Goal> same, uint64_t from) {
    check(sentence_.interrupt);
    match_anchor(same, from);
  };
  for_each_anchor(frequent, [&](std::span<Goal> same) { match_from(same, front.size()); });
  for_each_anchor(rest, [&](std::span<Goal> same) { match_from(same, 0); });
}

// Looks for the matches that begin at `from` or later.
void ExactMatcher::match_anchor(std::span<Goal> goals, uint64_t from) {
  anchor_length_ = (*trie_)[goals[0].anchor].symbols;
  std::vector<Goal*> open;
  for (Goal& goal : goals)
    if (!goal.full()) open.push_back(&goal);

  const uint64_t reach = options_.max_rule_span > anchor_length_ ? options_.max_rule_span - anchor_length_ : 0;
  size_t planned = 0;  // goals
  for (uint64_t to; from < bitext_->source_size() && !open.empty(); from = to) {
    to = find_occurrences(goals[0].anchor, from);
    if (open.size() != planned) plan(open);
    for (size_t i = 0; i < occurrences_.size(); ++i) {
      // Goals that need no more slow the others down.
      if (filled_ * 4 > open.size()) {
        std::erase_if(open, [&](const Goal* goal) { return goal->stop <= occurrences_[i]; });
        if (open.empty()) break;
        plan(open);
      }
      const uint64_t next = occurrences_[std::min(i + occurrences_ahead, occurrences_.size() - 1)];
      bitext_->fetch_source(next > reach ? next - reach : 0);
      bitext_->fetch_source(next + anchor_length_ + reach);
      visit(occurrences_[i], open);
    }
    planned = open.size();
    std::erase_if(open, [&](const Goal* goal) { return goal->full(); });
  }
  for (Goal& goal : goals)
    if (!goal.settled) goal.settle(*sentence_.samples, segment_);
}

// The anchor's occurrences from here to where the round ends, in the order of the text; gives the end. Rounds end with
// a sentence, so that every match of the sentences so far has been seen.
uint64_t ExactMatcher::find_occurrences(uint32_t anchor, uint64_t from) {
  const TextSpan ranks = sentence_.phrases->ranks(segment_, anchor);
  const uint64_t text = bitext_->source_size();
  const auto sentence_end = [&](uint64_t at) { return bitext_->source_range(bitext_->sentence_of(at)).end + 1; };
  occurrences_.clear();
  uint64_t to = from == 0 ? text * first_round / std::max<uint64_t>(ranks.size(), 1) : from * round_growth;
  to = to < text / 2 ? sentence_end(to) : text;
  for (uint64_t rank = ranks.begin; rank < ranks.end; ++rank) {
    const uint64_t begin = bitext_->suffix(rank);
    if (begin >= from && begin < to && !excluded_.contains(begin)) occurrences_.push_back(begin);
  }
  sort_positions(occurrences_, sorted_);
  return to;
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
  for (const Partner& partner : partners_) first_words_[words_[partner.words]] = FlatMap::absent;
  before_.clear();
  after_.clear();
  partner_ids_.clear();
  pairs_.clear();
  partners_.clear();
  words_.clear();
  any_pairs_ = false;
  filled_ = 0;
  needs_before_.assign(goals.size(), 0);
  needs_after_.assign(goals.size(), 0);
  const auto need = [&](uint32_t goal, bool before, uint32_t id) {
    const uint32_t sign = uint32_t{1} << id % 32;
    (before ? before_ : after_).add(words_[partners_[id].words], sign);
    (before ? needs_before_ : needs_after_)[goal] |= sign;
  };
  for (uint32_t i = 0; i < goals.size(); ++i) {
    const PatternNode& node = (*trie_)[goals[i]->node];
    const uint32_t at = goals[i]->anchor_phrase;
    if (node.phrase_count == 2) {
      const uint32_t other = partner(node.phrases[1 - at]);
      (at == 0 ? partners_[other].goal_after : partners_[other].goal_before) = i;
      need(i, at == 1, other);
      continue;
    }
    const uint32_t first = partner(node.phrases[at == 0 ? 1 : 0]), second = partner(node.phrases[at == 2 ? 1 : 2]);
    const PartnerSide side = at == 0 ? PartnerSide::both_right : at == 1 ? PartnerSide::around : PartnerSide::both_left;
    (at == 0 ? partners_[first].pairs_right : partners_[first].pairs_left) = true;
    (at == 2 ? partners_[second].pairs_left : partners_[second].pairs_right) = true;
    need(i, at > 0, first);
    need(i, at == 2, second);
    pairs_[pair_key(side, first, second)] = i;
    any_pairs_ = true;
  }
}

// Of these signs, those of all goals that may have all their partners among them. No branches: most have not, and which
// has is not to be foretold.
ExactMatcher::Signs ExactMatcher::needed_of(Signs signs) const {
  const uint32_t *before = needs_before_.data(), *after = needs_after_.data();
  Signs needed{0, 0};
  for (size_t i = 0; i < needs_before_.size(); ++i) {
    const bool all = ((before[i] & ~signs.left) | (after[i] & ~signs.right)) == 0;
    needed.left |= all ? before[i] : 0;
    needed.right |= all ? after[i] : 0;
  }
  return needed;
}

// Adds the partners that begin at a position and end by `limit`.
void ExactMatcher::find_partners(uint64_t position, uint64_t limit, std::vector<Hit>& hits) const {
  const WordId word = bitext_->source(position);
  if (word >= first_words_.size()) return;
  for (uint32_t id = first_words_[word]; id != FlatMap::absent; id = partners_[id].next_same_first_word) {
    const Partner& partner = partners_[id];
    if (position + partner.length > limit) continue;
    const WordId* wanted = words_.data() + partner.words;
    uint32_t same = 1;
    while (same < partner.length && bitext_->source(position + same) == wanted[same]) ++same;
    if (same == partner.length) hits.push_back({id, position});
  }
}

void ExactMatcher::push(Goal& goal, uint64_t begin, Match match) {
  filled_ += goal.push(*bitext_, begin, match, options_.max_samples);
}

// The signs of the words [begin, end) together.
uint32_t ExactMatcher::signs_of(const WordSigns& signs, uint64_t begin, uint64_t end) const {
  uint32_t all = 0;
  for (uint64_t at = begin; at < end; ++at) all |= signs[bitext_->source(at)];
  return all;
}

void ExactMatcher::visit(uint64_t begin, std::span<Goal*> goals) {
  // Partners lie within the span of the far end of the anchor.
  const uint64_t span = options_.max_rule_span, gap = options_.min_gap_size;
  const uint64_t reach = span > anchor_length_ ? span - anchor_length_ : 0;
  const uint64_t text = bitext_->source_size(), after = std::min(begin + anchor_length_, text);
  const uint64_t limit = std::min(after + reach, text);
  // Where partners may begin if the sentence goes so far.
  const uint64_t first = begin > reach ? begin - reach : 0, left_end = std::max(begin, first + gap) - gap;
  const uint64_t right_begin = std::min(after + gap, limit);
  cost_.comparisons += left_end - first + (limit - right_begin);
  const Signs needed = needed_of({signs_of(before_, first, left_end), signs_of(after_, right_begin, limit)});
  if ((needed.left | needed.right) == 0) return;

  left_.clear();
  right_.clear();
  if (needed.left != 0)
    for_each_marked(
        begin - first, gap, before_, needed.left, [&](uint64_t away) { return bitext_->source(begin - 1 - away); },
        [&](uint64_t away) { find_partners(begin - 1 - away, left_end, left_); });
  if (needed.right != 0)
    for_each_marked(
        limit - after, gap, after_, needed.right, [&](uint64_t away) { return bitext_->source(after + away); },
        [&](uint64_t away) { find_partners(after + away, limit, right_); });
  for (const Hit& hit : right_)
    if (const uint32_t goal = partners_[hit.partner].goal_after; goal != FlatMap::absent)
      push(*goals[goal], begin, make_match(begin, hit.begin - begin));
  for (const Hit& hit : left_)
    if (const uint32_t goal = partners_[hit.partner].goal_before; goal != FlatMap::absent)
      push(*goals[goal], begin, make_match(hit.begin, begin - hit.begin));
  if (any_pairs_) push_pairs(begin, goals);
}

// Goals with two partners of those found. On the left those nearest to the anchor come first.
void ExactMatcher::push_pairs(uint64_t begin, std::span<Goal*> goals) {
  const uint64_t span = options_.max_rule_span, gap = options_.min_gap_size;
  const auto pair = [&](PartnerSide side, const Hit& first, const Hit& second, Match match) {
    ++cost_.comparisons;
    const uint32_t goal = pairs_.find(pair_key(side, first.partner, second.partner));
    if (goal != FlatMap::absent) push(*goals[goal], begin, match);
  };
  for (size_t i = 0; i < right_.size(); ++i) {
    const Partner& first = partners_[right_[i].partner];
    if (!first.pairs_right) continue;
    for (size_t j = i + 1; j < right_.size(); ++j)
      if (partners_[right_[j].partner].pairs_right && right_[j].begin >= right_[i].begin + first.length + gap)
        pair(PartnerSide::both_right, right_[i], right_[j],
             make_match(begin, right_[i].begin - begin, right_[j].begin - begin));
  }
  for (size_t i = 0; i < left_.size(); ++i) {
    const Partner& first = partners_[left_[i].partner];
    if (!first.pairs_left) continue;
    const uint64_t match_at = left_[i].begin;
    for (size_t j = 0; j < i; ++j)
      if (partners_[left_[j].partner].pairs_left && left_[j].begin >= match_at + first.length + gap)
        pair(PartnerSide::both_left, left_[i], left_[j],
             make_match(match_at, left_[j].begin - match_at, begin - match_at));
    for (const Hit& second : right_)
      if (partners_[second.partner].pairs_right && second.begin + partners_[second.partner].length <= match_at + span)
        pair(PartnerSide::around, left_[i], second, make_match(match_at, begin - match_at, second.begin - match_at));
  }
}

}  // namespace dragoman::rules
