#include "rules/list_matcher.h"

#include <algorithm>

namespace dragoman::rules {

void ListMatcher::start(const Sentence& sentence) {
  sentence_ = sentence;
  trie_ = sentence.trie;
  for (auto& list : lists_) list.clear();
}

void ListMatcher::match_level(uint32_t symbols, std::span<const uint32_t> nodes) {
  for (uint32_t node : nodes) {
    check(sentence_.interrupt);
    std::vector<Match> matches;
    find(node, matches);
    std::vector<Match> sample(matches);
    keep_sample(sample, options_.max_samples);
    sentence_.samples->add(node, 0, sample);
    (*trie_)[node].dead = sample.empty();
    lists_.resize(std::max<size_t>(lists_.size(), trie_->size()));
    lists_[node] = std::move(matches);
  }
  forget(symbols);
}

std::span<const Match> ListMatcher::list(uint32_t node, bool sorted) {
  lists_.resize(std::max<size_t>(lists_.size(), trie_->size()));
  std::vector<Match>& matches = lists_[node];
  if (matches.empty() && (*trie_)[node].contiguous()) {
    const TextSpan ranks = sentence_.phrases->ranks(0, node);
    const Exclusion& excluded = sentence_.phrases->excluded(0);
    matches.reserve(ranks.size());
    for (uint64_t rank = ranks.begin; rank < ranks.end; ++rank) {
      const uint64_t begin = bitext_.suffix(rank);
      if (!excluded.contains(begin)) matches.push_back(make_match(begin));
    }
    if (sorted) std::sort(matches.begin(), matches.end());
  }
  return matches;
}

void ListMatcher::forget(uint32_t level) {
  for (uint32_t node = 1; node < lists_.size() && node < trie_->size(); ++node)
    if (!(*trie_)[node].contiguous() && (*trie_)[node].symbols + 2 <= level) std::vector<Match>().swap(lists_[node]);
}

}  // namespace dragoman::rules
