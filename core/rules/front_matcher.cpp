#include "rules/front_matcher.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace dragoman::rules {
namespace {

// An anchor that is rarer than one word in so many is found sooner in the suffix array.
constexpr uint64_t sparse = 2048;
// Windows have 32 bits: an anchor with as many words on either side as the span of a rule allows.
constexpr uint32_t widest = 16;
// Before the bits of a block, and after them.
constexpr uint32_t padding = 64;

uint32_t bits_below(uint32_t count) { return static_cast<uint32_t>((uint64_t{1} << std::min(count, 32u)) - 1); }
uint32_t bits_between(uint32_t begin, uint32_t end) { return begin < end ? bits_below(end) & ~bits_below(begin) : 0; }

template <class Visit>
void for_each_bit(uint32_t bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<uint32_t>(std::countr_zero(bits)));
}

}  // namespace

bool FrontMatcher::serves(const IndexedBitext& bitext, const FrontPlaces& front, const PatternTrie& trie,
                          const Goal& goal) const {
  if (options_.max_rule_span > widest || goal.anchor_occurrences < bitext.source_size() / sparse) return false;
  for (uint32_t node = goal.node; node != PatternTrie::root; node = trie[node].parent)
    if (!front.tells(trie[node].word)) return false;
  return true;
}

void FrontMatcher::match(const IndexedBitext& bitext, const FrontPlaces& front, const PatternTrie& trie,
                         std::span<Goal> goals, const Exclusion& excluded) {
  bitext_ = &bitext;
  trie_ = &trie;
  excluded_ = excluded;
  tasks_.clear();
  rows_.clear();
  rest_.clear();
  rows_of_phrases_.clear();
  rows_of_words_.assign(front.told(), FlatMap::absent);
  row_of_word(Vocabulary::separator);
  for (Goal& goal : goals) tasks_.push_back(task_of(goal));
  // Those that share work lie together.
  std::sort(tasks_.begin(), tasks_.end(), [](const Task& a, const Task& b) {
    return std::tuple(a.anchor, a.first_left(), a.first) < std::tuple(b.anchor, b.first_left(), b.first);
  });
  note_needed_rows();
  for (const FrontPlaces::Block& block : front.blocks()) {
    if (tasks_.empty()) return;
    fill_rows(block);
    const Task* last = nullptr;
    for (const Task& task : tasks_) {
      const bool same_anchor = last && task.anchor == last->anchor;
      if (!same_anchor) find_places(task, block.begin());
      if (!same_anchor || task.first_left() != last->first_left() || task.first != last->first) find_hits(task);
      search(task, block.begin());
      last = &task;
    }
    // A block ends with a sentence: what is full is complete.
    if (std::erase_if(tasks_, [](const Task& task) { return task.goal->full(); }) > 0) note_needed_rows();
  }
}

uint32_t FrontMatcher::row_of_word(WordId word) {
  uint32_t& row = rows_of_words_[word];
  if (row == FlatMap::absent) {
    row = static_cast<uint32_t>(rows_.size());
    rows_.push_back({.word = word, .rest_begin = 0, .rest_end = 0});
  }
  return row;
}

uint32_t FrontMatcher::row_of_phrase(uint32_t node) {
  const std::vector<WordId> words = trie_->symbols(node);
  if (words.size() == 1) return row_of_word(words[0]);
  uint32_t& row = rows_of_phrases_[node];
  if (row == FlatMap::absent) {
    const auto begin = static_cast<uint32_t>(rest_.size());
    for (size_t i = 1; i < words.size(); ++i) rest_.push_back(row_of_word(words[i]));
    row = static_cast<uint32_t>(rows_.size());
    rows_.push_back({.word = words[0], .rest_begin = begin, .rest_end = static_cast<uint32_t>(rest_.size())});
  }
  return row;
}

FrontMatcher::Task FrontMatcher::task_of(Goal& goal) {
  const PatternNode& node = (*trie_)[goal.node];
  const uint32_t at = goal.anchor_phrase, length = node.lengths[at];
  const uint32_t gap = options_.min_gap_size;
  const uint32_t before = reach_of(length);
  const uint32_t after = before + length, end = after + before;
  const auto left_mask = [&](uint32_t phrase) {
    const uint32_t needed = gap + node.lengths[phrase];
    return before >= needed ? bits_below(before + 1 - needed) : 0;
  };
  const auto right_mask = [&](uint32_t phrase) {
    return end >= node.lengths[phrase] ? bits_between(after + gap, end + 1 - node.lengths[phrase]) : 0;
  };
  Task task{};
  task.goal = &goal;
  task.anchor = row_of_phrase(goal.anchor);
  task.anchor_length = length;
  const uint32_t first = at == 0 ? 1 : 0;
  task.first = row_of_phrase(node.phrases[first]);
  task.first_mask = at == 0 ? right_mask(first) : left_mask(first);
  task.first_reach = node.lengths[first] + gap;
  if (node.phrase_count == 2) {
    task.side = at == 0 ? PartnerSide::right : PartnerSide::left;
    return task;
  }
  const uint32_t second = at == 2 ? 1 : 2;
  task.second = row_of_phrase(node.phrases[second]);
  task.second_mask = at == 2 ? left_mask(second) : right_mask(second);
  task.second_length = node.lengths[second];
  task.side = at == 0 ? PartnerSide::both_right : at == 1 ? PartnerSide::around : PartnerSide::both_left;
  return task;
}

void FrontMatcher::note_needed_rows() {
  for (Row& row : rows_) row.is_anchor = row.is_marked = false;
  rows_[0].is_marked = true;
  for (const Task& task : tasks_) {
    rows_[task.anchor].is_anchor = true;
    rows_[task.first].is_marked = true;
    if (!task.single()) rows_[task.second].is_marked = true;
  }
  for (const Row& row : rows_)
    if (row.is_anchor || row.is_marked)
      for (uint32_t i = row.rest_begin; i < row.rest_end; ++i) rows_[rest_[i]].is_marked = true;
}

void FrontMatcher::mark(uint32_t row) {
  uint64_t* bits = marks(row);
  std::fill_n(bits, stride_, 0);
  for (uint32_t place : rows_[row].places) bits[(padding + place) / 64] |= uint64_t{1} << place % 64;
}

void FrontMatcher::fill_rows(const FrontPlaces::Block& block) {
  stride_ = (block.size() + 63) / 64 + 2 * padding / 64;
  if (marks_.size() < rows_.size() * stride_) marks_.resize(rows_.size() * stride_);
  size_t most = 0;
  for (uint32_t i = 0; i < rows_.size(); ++i) {
    rows_[i].places = block.places(rows_[i].word);
    if (rows_[i].rest_begin < rows_[i].rest_end)
      most += rows_[i].places.size();
    else if (rows_[i].is_marked)
      mark(i);
  }
  phrase_places_.resize(most);
  uint16_t* next = phrase_places_.data();
  for (uint32_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    if (row.rest_begin == row.rest_end || !(row.is_anchor || row.is_marked)) continue;
    uint16_t* const begin = next;
    next = std::copy(row.places.begin(), row.places.end(), begin);
    for (uint32_t word = 1; word <= row.rest_end - row.rest_begin; ++word) {
      const uint64_t* bits = marks(rest_[row.rest_begin + word - 1]);
      next = std::remove_if(begin, next, [&](uint32_t place) { return !is_set(bits, padding + place + word); });
    }
    row.places = std::span(begin, next);
    if (row.is_marked) mark(i);
  }
}

// The occurrences of a task's anchor in the block that begins here.
void FrontMatcher::find_places(const Task& task, uint64_t begin) {
  before_ = reach_of(task.anchor_length);
  after_ = before_ + task.anchor_length;
  const uint64_t* separators = marks(0);
  places_.clear();
  for (uint32_t place : rows_[task.anchor].places) {
    if (excluded_.contains(begin + place)) continue;
    const uint32_t from = padding + place - before_;
    const uint64_t ends = window(separators, from), before = ends & bits_below(before_), after = ends >> after_;
    const uint64_t from_its_begin = ~uint64_t{0} << std::bit_width(before);
    const uint64_t to_its_end = ((after & -after) << after_) - 1;
    places_.push_back({from, static_cast<uint32_t>(from_its_begin & to_its_end)});
  }
  hits_.resize(std::max(hits_.size(), places_.size()));
  both_.resize(hits_.size());
  cost_.comparisons += places_.size();
}

// Those of them that have the task's first phrase around them. No branches: which has is not to be foretold.
void FrontMatcher::find_hits(const Task& task) {
  const uint64_t* bits = marks(task.first);
  hit_count_ = 0;
  for (const AnchorWindow& place : places_) {
    const uint32_t firsts = window(bits, place.window) & place.sentence & task.first_mask;
    hits_[hit_count_] = {place, firsts};
    hit_count_ += firsts != 0;
  }
  cost_.comparisons += places_.size();
}

// Finds the task's matches at these.
void FrontMatcher::search(const Task& task, uint64_t begin) {
  const uint64_t base = begin - padding;
  Goal& goal = *task.goal;
  const std::span<const Hit> hits = std::span(hits_).first(hit_count_);
  if (task.single()) {
    for (const Hit& hit : hits) {
      const uint64_t at = base + hit.place.window, anchor = at + before_;
      if (anchor >= goal.stop) return;
      for_each_bit(hit.firsts, [&](uint32_t first) {
        push(goal, anchor,
             task.side == PartnerSide::left ? make_match(at + first, before_ - first)
                                            : make_match(anchor, first - before_));
      });
    }
    return;
  }
  const uint64_t* bits = marks(task.second);
  cost_.comparisons += hits.size();
  size_t count = 0;
  for (const Hit& hit : hits) {
    const uint32_t seconds = window(bits, hit.place.window) & hit.place.sentence & task.second_mask;
    both_[count] = {hit.place.window, hit.firsts, seconds};
    count += seconds != 0;
  }
  for (const Both& both : std::span(both_).first(count)) {
    const uint64_t at = base + both.window, anchor = at + before_;
    if (anchor >= goal.stop) return;
    for_each_bit(both.firsts, [&](uint32_t first) {
      uint32_t rest = both.seconds & ~bits_below(first + task.first_reach);
      if (task.side == PartnerSide::around) rest &= bits_below(first + options_.max_rule_span + 1 - task.second_length);
      for_each_bit(rest, [&](uint32_t second) {
        push(goal, anchor,
             task.side == PartnerSide::both_right  ? make_match(anchor, first - before_, second - before_)
             : task.side == PartnerSide::both_left ? make_match(at + first, second - first, before_ - first)
                                                   : make_match(at + first, before_ - first, second - first));
      });
    });
  }
}

}  // namespace dragoman::rules
