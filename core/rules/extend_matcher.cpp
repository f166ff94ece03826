#include "rules/extend_matcher.h"

#include <algorithm>

namespace dragoman::rules {

void ExtendMatcher::find(uint32_t node, std::vector<Match>& matches) {
  const PatternNode& pattern = trie()[node];
  const bool gap_after_first = trie().phrase_length(node, 0) == 1;
  const uint64_t right_cost = list_size(pattern.parent) * (pattern.gap_before ? options_.max_rule_span : 1);
  const uint64_t left_cost = list_size(pattern.suffix) * (gap_after_first ? options_.max_rule_span : 1);
  if (right_cost <= left_cost)
    extend_right(node, list(pattern.parent), matches);
  else
    extend_left(node, list(pattern.suffix), matches);
}

void ExtendMatcher::extend_right(uint32_t node, std::span<const Match> prefixes, std::vector<Match>& matches) {
  const PatternNode& pattern = trie()[node];
  for (Match prefix : prefixes) {
    const uint64_t begin = match_begin(prefix), end = match_end(pattern.parent, prefix);
    if (!pattern.gap_before) {
      ++cost_.comparisons;
      if (end < begin + options_.max_rule_span && bitext_.source_or_separator(end) == pattern.word)
        matches.push_back(prefix);
      continue;
    }
    const uint64_t limit = std::min(bitext_.source_size(), begin + options_.max_rule_span);
    for (uint64_t at = end; at < limit; ++at) {
      const WordId word = bitext_.source(at);
      ++cost_.comparisons;
      if (word == Vocabulary::separator) break;
      if (word == pattern.word && at >= end + options_.min_gap_size)
        matches.push_back(prefix | (at - begin) << (pattern.phrase_count == 2 ? 8 : 0));
    }
  }
}

void ExtendMatcher::extend_left(uint32_t node, std::span<const Match> suffixes, std::vector<Match>& matches) {
  const PatternNode& pattern = trie()[node];
  uint32_t first_node = pattern.phrases[0];
  while (trie()[first_node].symbols > 1) first_node = trie()[first_node].parent;
  const WordId first = trie()[first_node].word;
  const bool gap = trie().phrase_length(node, 0) == 1;
  for (Match suffix : suffixes) {
    const uint64_t begin = match_begin(suffix), end = match_end(pattern.suffix, suffix);
    const uint64_t limit = end > options_.max_rule_span ? end - options_.max_rule_span : 0;
    const uint64_t second = match_offset(suffix, 1), third = match_offset(suffix, 2);
    if (!gap) {
      ++cost_.comparisons;
      if (begin > limit && bitext_.source(begin - 1) == first)
        matches.push_back(make_match(begin - 1, second + 1, pattern.phrase_count > 2 ? third + 1 : 0));
      continue;
    }
    for (uint64_t at = begin; at-- > limit;) {
      const WordId word = bitext_.source(at);
      ++cost_.comparisons;
      if (word == Vocabulary::separator) break;
      if (word == first && at + 1 + options_.min_gap_size <= begin)
        matches.push_back(make_match(at, begin - at, pattern.phrase_count > 2 ? begin - at + second : 0));
    }
  }
}

}  // namespace dragoman::rules
