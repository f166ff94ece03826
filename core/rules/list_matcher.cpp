#include "rules/list_matcher.h"

#include <algorithm>
#include <bit>

namespace dragoman::rules {

void ListMatcher::start(PatternTrie& trie, const Exclusion& excluded) {
  trie_ = &trie;
  excluded_ = excluded;
  for (auto& list : lists_) list.clear();
}

std::span<const Match> ListMatcher::list(uint32_t node, bool sorted) {
  lists_.resize(std::max<size_t>(lists_.size(), trie_->size()));
  std::vector<Match>& matches = lists_[node];
  const PatternNode& made = (*trie_)[node];
  if (matches.empty() && made.contiguous()) {
    matches.reserve(made.occurrences());
    for (uint64_t rank = made.ranks_begin; rank < made.ranks_end; ++rank) {
      const uint64_t begin = bitext_.suffix(rank);
      if (!excluded_.contains(begin)) matches.push_back(make_match(begin));
    }
    if (sorted) std::sort(matches.begin(), matches.end());
  }
  return matches;
}

void ListMatcher::keep(uint32_t node, std::vector<Match>&& found) {
  std::vector<Match> sample(found);
  keep_sample(sample, options_.max_samples);
  trie_->set_sample(node, sample);
  lists_.resize(std::max<size_t>(lists_.size(), trie_->size()));
  lists_[node] = std::move(found);
}

void ListMatcher::forget(uint32_t level) {
  for (uint32_t node = 1; node < lists_.size() && node < trie_->size(); ++node)
    if (!(*trie_)[node].contiguous() && (*trie_)[node].symbols + 2 <= level) std::vector<Match>().swap(lists_[node]);
}

void ListMatcher::extend(uint32_t node) {
  const PatternNode& made = (*trie_)[node];
  const auto prefixes = list(made.parent, false), suffixes = list(made.suffix, false);
  const bool gap_after_first = trie_->phrase_length(node, 0) == 1;
  const uint64_t right_cost = prefixes.size() * (made.gap_before ? options_.max_rule_span : 1);
  const uint64_t left_cost = suffixes.size() * (gap_after_first ? options_.max_rule_span : 1);
  std::vector<Match> found;
  if (right_cost <= left_cost)
    extend_right(node, prefixes, found);
  else
    extend_left(node, suffixes, found);
  keep(node, std::move(found));
}

void ListMatcher::extend_right(uint32_t node, std::span<const Match> matches, std::vector<Match>& found) {
  const PatternNode& made = (*trie_)[node];
  for (Match match : matches) {
    const uint64_t begin = match_begin(match), end = match_end(made.parent, match);
    if (!made.gap_before) {
      ++cost_.comparisons;
      if (end < begin + options_.max_rule_span && bitext_.source_or_separator(end) == made.word) found.push_back(match);
      continue;
    }
    const uint64_t limit = std::min(bitext_.source_size(), begin + options_.max_rule_span);
    for (uint64_t at = end; at < limit; ++at) {
      const WordId word = bitext_.source(at);
      ++cost_.comparisons;
      if (word == Vocabulary::separator) break;
      if (word == made.word && at >= end + options_.min_gap_size)
        found.push_back(match | (at - begin) << (made.phrase_count == 2 ? 8 : 0));
    }
  }
}

void ListMatcher::extend_left(uint32_t node, std::span<const Match> matches, std::vector<Match>& found) {
  const PatternNode& made = (*trie_)[node];
  uint32_t first_node = made.phrases[0];
  while ((*trie_)[first_node].symbols > 1) first_node = (*trie_)[first_node].parent;
  const WordId first = (*trie_)[first_node].word;
  const bool gap = trie_->phrase_length(node, 0) == 1;
  for (Match match : matches) {
    const uint64_t begin = match_begin(match), end = match_end(made.suffix, match);
    const uint64_t limit = end > options_.max_rule_span ? end - options_.max_rule_span : 0;
    const uint64_t second = match_offset(match, 1), third = match_offset(match, 2);
    if (!gap) {
      ++cost_.comparisons;
      if (begin > limit && bitext_.source(begin - 1) == first)
        found.push_back(make_match(begin - 1, second + 1, made.phrase_count > 2 ? third + 1 : 0));
      continue;
    }
    for (uint64_t at = begin; at-- > limit;) {
      const WordId word = bitext_.source(at);
      ++cost_.comparisons;
      if (word == Vocabulary::separator) break;
      if (word == first && at + 1 + options_.min_gap_size <= begin)
        found.push_back(make_match(at, begin - at, made.phrase_count > 2 ? begin - at + second : 0));
    }
  }
}

bool ListMatcher::join(uint32_t node, Match prefix, Match suffix, Match& joined) {
  ++cost_.comparisons;
  const PatternNode& made = (*trie_)[node];
  const uint64_t begin = match_begin(prefix), suffix_begin = match_begin(suffix);
  const bool gap_after_first = trie_->phrase_length(node, 0) == 1;
  if (match_end(made.suffix, suffix) > begin + options_.max_rule_span) return false;
  uint64_t starts[max_phrases] = {begin, begin + match_offset(prefix, 1), begin + match_offset(prefix, 2)};
  const PatternNode& parent = (*trie_)[made.parent];
  const PatternNode& after = (*trie_)[made.suffix];
  // Where the suffix puts each phrase of the node but the first.
  uint64_t from_suffix[max_phrases] = {};
  for (uint32_t phrase = 1; phrase < made.phrase_count; ++phrase)
    from_suffix[phrase] = suffix_begin + match_offset(suffix, gap_after_first ? phrase - 1 : phrase);
  if (!gap_after_first && suffix_begin != begin + 1) return false;
  for (uint32_t phrase = 1; phrase < parent.phrase_count; ++phrase)
    if (starts[phrase] != from_suffix[phrase]) return false;
  if (made.gap_before) {
    const uint64_t last = from_suffix[made.phrase_count - 1u];
    if (last < match_end(made.parent, prefix) + options_.min_gap_size) return false;
    starts[made.phrase_count - 1u] = last;
    // Only a shared word proves that both lie in one sentence.
    if (parent.symbols == 1 && after.symbols == 1 && bitext_.sentence_of(begin) != bitext_.sentence_of(last))
      return false;
  }
  joined = make_match(begin, starts[1] - begin, made.phrase_count > 2 ? starts[2] - begin : 0);
  return true;
}

void ListMatcher::merge(uint32_t node) {
  const PatternNode& made = (*trie_)[node];
  const auto prefixes = list(made.parent, true), suffixes = list(made.suffix, true);
  const size_t few = std::min(prefixes.size(), suffixes.size()), many = std::max(prefixes.size(), suffixes.size());
  std::vector<Match> found;
  if (few * std::bit_width(many) < few + many) {
    search_ranges(node, prefixes, suffixes, found);
    std::sort(found.begin(), found.end());
  } else {
    merge_ranges(node, prefixes, suffixes, found);
  }
  keep(node, std::move(found));
}

// Suffixes whose match begins within reach of a prefix's form a window that moves along with the prefixes.
void ListMatcher::merge_ranges(uint32_t node, std::span<const Match> prefixes, std::span<const Match> suffixes,
                               std::vector<Match>& found) {
  size_t low = 0;
  Match joined;
  for (Match prefix : prefixes) {
    const uint64_t begin = match_begin(prefix);
    while (low < suffixes.size() && match_begin(suffixes[low]) <= begin) {
      ++low;
      ++cost_.comparisons;
    }
    for (size_t at = low; at < suffixes.size() && match_begin(suffixes[at]) < begin + options_.max_rule_span; ++at)
      if (join(node, prefix, suffixes[at], joined)) found.push_back(joined);
  }
}

void ListMatcher::search_ranges(uint32_t node, std::span<const Match> prefixes, std::span<const Match> suffixes,
                                std::vector<Match>& found) {
  if (prefixes.empty() || suffixes.empty()) return;
  auto first_from = [&](std::span<const Match> matches, uint64_t begin) {
    return static_cast<size_t>(std::partition_point(matches.begin(), matches.end(),
                                                    [&](Match match) {
                                                      ++cost_.comparisons;
                                                      return match_begin(match) < begin;
                                                    }) -
                               matches.begin());
  };
  Match joined;
  const uint64_t reach = options_.max_rule_span;
  if (prefixes.size() <= suffixes.size()) {
    const size_t middle = prefixes.size() / 2;
    const uint64_t begin = match_begin(prefixes[middle]);
    const size_t low = first_from(suffixes, begin + 1);
    size_t high = low;
    for (; high < suffixes.size() && match_begin(suffixes[high]) < begin + reach; ++high)
      if (join(node, prefixes[middle], suffixes[high], joined)) found.push_back(joined);
    search_ranges(node, prefixes.first(middle), suffixes.first(high), found);
    search_ranges(node, prefixes.subspan(middle + 1), suffixes.subspan(low), found);
  } else {
    const size_t middle = suffixes.size() / 2;
    const uint64_t begin = match_begin(suffixes[middle]);
    const size_t low = first_from(prefixes, begin + 1 > reach ? begin + 1 - reach : 0);
    size_t high = low;
    for (; high < prefixes.size() && match_begin(prefixes[high]) < begin; ++high)
      if (join(node, prefixes[high], suffixes[middle], joined)) found.push_back(joined);
    search_ranges(node, prefixes.first(high), suffixes.first(middle), found);
    search_ranges(node, prefixes.subspan(low), suffixes.subspan(middle + 1), found);
  }
}

}  // namespace dragoman::rules
