#include "rules/extend_matcher.h"

#include <algorithm>

namespace dragoman::rules {

void ExtendMatcher::find(uint32_t node, std::vector<Match>& found) {
  const PatternNode& made = trie()[node];
  const auto prefixes = list(made.parent, false), suffixes = list(made.suffix, false);
  const bool gap_after_first = trie().phrase_length(node, 0) == 1;
  const uint64_t right_cost = prefixes.size() * (made.gap_before ? options_.max_rule_span : 1);
  const uint64_t left_cost = suffixes.size() * (gap_after_first ? options_.max_rule_span : 1);
  if (right_cost <= left_cost)
    extend_right(node, prefixes, found);
  else
    extend_left(node, suffixes, found);
}

void ExtendMatcher::extend_right(uint32_t node, std::span<const Match> matches, std::vector<Match>& found) {
  const PatternNode& made = trie()[node];
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

void ExtendMatcher::extend_left(uint32_t node, std::span<const Match> matches, std::vector<Match>& found) {
  const PatternNode& made = trie()[node];
  uint32_t first_node = made.phrases[0];
  while (trie()[first_node].symbols > 1) first_node = trie()[first_node].parent;
  const WordId first = trie()[first_node].word;
  const bool gap = trie().phrase_length(node, 0) == 1;
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

}  // namespace dragoman::rules
