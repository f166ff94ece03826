#include "rules/bounded_matcher.h"

#include <algorithm>

namespace dragoman::rules {

void BoundedMatcher::start(const Sentence& sentence) {
  sentence_ = sentence;
  filter_.clear();
  for (WordId word : sentence.input) filter_.add(word);
}

void BoundedMatcher::match_level(uint32_t, std::span<const uint32_t> nodes) {
  PatternTrie& trie = *sentence_.trie;
  for (uint32_t node : nodes) trie[node].dead = trie.sample(node).empty();
}

void BoundedMatcher::match_children(std::span<const uint32_t> parents) {
  for (uint32_t node : parents) {
    check(sentence_.interrupt);
    feed_children(node);
  }
}

void BoundedMatcher::feed_children(uint32_t node) {
  PatternTrie& trie = *sentence_.trie;
  const PatternNode& pattern = trie[node];
  const uint32_t last = pattern.phrase_count - 1u;
  const uint32_t last_length = trie.phrase_length(node, last);
  const bool may_gap = pattern.phrase_count <= options_.max_nonterminals;
  fed_.clear();
  auto send = [&](bool gap, WordId word, Match match) {
    const uint32_t child = trie.child(node, gap, word);
    if (child != PatternTrie::none && !trie[child].dead) fed_.push_back({child, match});
  };
  for (Match match : trie.sample(node)) {
    const IndexedBitext& bitext = snapshot_.bitext(match_segment(match));
    const uint64_t begin = match_position(match);
    const uint64_t end = begin + match_offset(match, last) + last_length;
    const uint64_t limit = std::min(bitext.source_size(), begin + options_.max_rule_span);
    for (uint64_t at = end; at < limit; ++at) {
      const WordId word = bitext.source(at);
      ++cost_.comparisons;
      if (word == Vocabulary::separator) break;
      if (!filter_.may_hold(word)) continue;
      if (at == end && pattern.phrase_count > 1) send(false, word, match);
      if (may_gap && at >= end + options_.min_gap_size)
        send(true, word, match | (at - begin) << (pattern.phrase_count == 1 ? 8 : 0));
    }
  }
  // By child; within one they are in sampling order, as the node's are.
  std::stable_sort(fed_.begin(), fed_.end(), [](const Fed& a, const Fed& b) { return a.child < b.child; });
  for (size_t i = 0; i < fed_.size();) {
    const uint32_t child = fed_[i].child;
    sample_.clear();
    for (; i < fed_.size() && fed_[i].child == child; ++i)
      if (sample_.size() < options_.max_samples) sample_.push_back(fed_[i].match);
    trie.set_sample(child, sample_);
  }
}

}  // namespace dragoman::rules
