#include "rules/merge_matcher.h"

#include <algorithm>
#include <bit>

namespace dragoman::rules {

bool MergeMatcher::join(uint32_t node, Match prefix, Match suffix, Match& joined) {
  ++cost_.comparisons;
  const PatternNode& pattern = trie()[node];
  const uint64_t begin = match_begin(prefix), suffix_begin = match_begin(suffix);
  const bool gap_after_first = trie().phrase_length(node, 0) == 1;
  if (match_end(pattern.suffix, suffix) > begin + options_.max_rule_span) return false;
  uint64_t starts[max_phrases] = {begin, begin + match_offset(prefix, 1), begin + match_offset(prefix, 2)};
  const PatternNode& parent = trie()[pattern.parent];
  const PatternNode& after = trie()[pattern.suffix];
  // Where the suffix puts each phrase of the node but the first.
  uint64_t from_suffix[max_phrases] = {};
  for (uint32_t phrase = 1; phrase < pattern.phrase_count; ++phrase)
    from_suffix[phrase] = suffix_begin + match_offset(suffix, gap_after_first ? phrase - 1 : phrase);
  if (!gap_after_first && suffix_begin != begin + 1) return false;
  for (uint32_t phrase = 1; phrase < parent.phrase_count; ++phrase)
    if (starts[phrase] != from_suffix[phrase]) return false;
  if (pattern.gap_before) {
    const uint64_t last = from_suffix[pattern.phrase_count - 1u];
    if (last < match_end(pattern.parent, prefix) + options_.min_gap_size) return false;
    starts[pattern.phrase_count - 1u] = last;
    // Only a shared word proves that both lie in one sentence.
    if (parent.symbols == 1 && after.symbols == 1 && bitext_.sentence_of(begin) != bitext_.sentence_of(last))
      return false;
  }
  joined = make_match(begin, starts[1] - begin, pattern.phrase_count > 2 ? starts[2] - begin : 0);
  return true;
}

void MergeMatcher::find(uint32_t node, std::vector<Match>& matches) {
  const PatternNode& pattern = trie()[node];
  const auto prefixes = list(pattern.parent), suffixes = list(pattern.suffix);
  const size_t few = std::min(prefixes.size(), suffixes.size()), many = std::max(prefixes.size(), suffixes.size());
  if (few * std::bit_width(many) < few + many) {
    search_ranges(node, prefixes, suffixes, matches);
    std::sort(matches.begin(), matches.end());
  } else {
    merge_ranges(node, prefixes, suffixes, matches);
  }
}

// Suffixes whose match begins within reach of a prefix's form a window that moves along with the prefixes.
void MergeMatcher::merge_ranges(uint32_t node, std::span<const Match> prefixes, std::span<const Match> suffixes,
                                std::vector<Match>& matches) {
  size_t low = 0;
  Match joined;
  for (Match prefix : prefixes) {
    const uint64_t begin = match_begin(prefix);
    while (low < suffixes.size() && match_begin(suffixes[low]) <= begin) {
      ++low;
      ++cost_.comparisons;
    }
    for (size_t at = low; at < suffixes.size() && match_begin(suffixes[at]) < begin + options_.max_rule_span; ++at)
      if (join(node, prefix, suffixes[at], joined)) matches.push_back(joined);
  }
}

void MergeMatcher::search_ranges(uint32_t node, std::span<const Match> prefixes, std::span<const Match> suffixes,
                                 std::vector<Match>& matches) {
  if (prefixes.empty() || suffixes.empty()) return;
  auto first_from = [&](std::span<const Match> sorted, uint64_t begin) {
    return static_cast<size_t>(std::partition_point(sorted.begin(), sorted.end(),
                                                    [&](Match match) {
                                                      ++cost_.comparisons;
                                                      return match_begin(match) < begin;
                                                    }) -
                               sorted.begin());
  };
  Match joined;
  const uint64_t reach = options_.max_rule_span;
  if (prefixes.size() <= suffixes.size()) {
    const size_t middle = prefixes.size() / 2;
    const uint64_t begin = match_begin(prefixes[middle]);
    const size_t low = first_from(suffixes, begin + 1);
    size_t high = low;
    for (; high < suffixes.size() && match_begin(suffixes[high]) < begin + reach; ++high)
      if (join(node, prefixes[middle], suffixes[high], joined)) matches.push_back(joined);
    search_ranges(node, prefixes.first(middle), suffixes.first(high), matches);
    search_ranges(node, prefixes.subspan(middle + 1), suffixes.subspan(low), matches);
  } else {
    const size_t middle = suffixes.size() / 2;
    const uint64_t begin = match_begin(suffixes[middle]);
    const size_t low = first_from(prefixes, begin + 1 > reach ? begin + 1 - reach : 0);
    size_t high = low;
    for (; high < prefixes.size() && match_begin(prefixes[high]) < begin; ++high)
      if (join(node, prefixes[high], suffixes[middle], joined)) matches.push_back(joined);
    search_ranges(node, prefixes.first(high), suffixes.first(middle), matches);
    search_ranges(node, prefixes.subspan(low), suffixes.subspan(middle + 1), matches);
  }
}

}  // namespace dragoman::rules
