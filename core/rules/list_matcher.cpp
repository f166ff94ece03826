#include "rules/list_matcher.h"

#include <algorithm>

#include "base/radix_sort.h"

namespace dragoman::rules {
namespace {

// Where the beginning is in a match.
constexpr uint32_t begin_shift = 16;

}  // namespace

ListMatcher::ListMatcher(const IndexedBitext& bitext, const ExtractOptions& options, const FrequentLists* frequent,
                         MatchCost& cost)
    : bitext_(bitext),
      options_(options),
      cost_(cost),
      frequent_(frequent && frequent->serve(bitext, options) ? frequent : nullptr) {}

void ListMatcher::start(const Sentence& sentence) {
  sentence_ = sentence;
  trie_ = sentence.trie;
  lists_.clear();
}

void ListMatcher::match_level(uint32_t symbols, std::span<const uint32_t> nodes) {
  lists_.resize(std::max<size_t>(lists_.size(), trie_->size()));
  for (uint32_t node : nodes) {
    check(sentence_.interrupt);
    List& list = lists_[node];
    const bool is_sorted = recall(node, list) || sorts();
    if (!list.is_known) {
      find(node, list.own);
      list.matches = list.own;
      list.is_known = true;
    }
    const size_t most = options_.max_samples;
    if (is_sorted) {
      sentence_.samples->add(node, 0, list.matches.first(std::min(most, list.matches.size())));
    } else {
      sample_.assign(list.matches.begin(), list.matches.end());
      keep_sample(sample_, most);
      sentence_.samples->add(node, 0, sample_);
    }
    (*trie_)[node].dead = list.matches.empty();
  }
  forget(symbols);
}

uint64_t ListMatcher::list_size(uint32_t node) const {
  if ((*trie_)[node].contiguous()) return sentence_.phrases->occurrences(0, node);
  return lists_[node].matches.size();
}

std::span<const Match> ListMatcher::list(uint32_t node) {
  List& list = lists_[node];
  if (!list.is_known && (*trie_)[node].contiguous()) gather(node, list);
  return list.matches;
}

void ListMatcher::gather(uint32_t node, List& list) {
  // In the order of the suffix array the positions are as good for who needs no order, and are not read twice.
  if (sorts() && recall(node, list)) return;
  const TextSpan ranks = sentence_.phrases->ranks(0, node);
  const Exclusion& excluded = sentence_.phrases->excluded(0);
  list.own.reserve(ranks.size());
  for (uint64_t rank = ranks.begin; rank < ranks.end; ++rank) {
    const uint64_t begin = bitext_.suffix(rank);
    if (!excluded.contains(begin)) list.own.push_back(make_match(begin));
  }
  if (sorts()) radix_sort(list.own, scratch_, [](Match match) { return match; }, begin_shift);
  list.matches = list.own;
  list.is_known = true;
}

bool ListMatcher::recall(uint32_t node, List& list) const {
  if (!frequent_) return false;
  const PatternNode& pattern = (*trie_)[node];
  uint32_t phrases[max_phrases];
  for (uint32_t i = 0; i < pattern.phrase_count; ++i)
    phrases[i] = frequent_->phrase(trie_->symbols(pattern.phrases[i]));
  const std::span known(phrases, pattern.phrase_count);
  if (!frequent_->knows(known)) return false;
  list.matches = frequent_->matches(known);
  list.is_known = true;
  const Exclusion& excluded = sentence_.phrases->excluded(0);
  if (excluded.empty()) return true;
  std::ranges::copy_if(list.matches, std::back_inserter(list.own),
                       [&](Match match) { return !excluded.contains(match_begin(match)); });
  list.matches = list.own;
  return true;
}

void ListMatcher::forget(uint32_t level) {
  for (uint32_t node = 1; node < lists_.size() && node < trie_->size(); ++node)
    if (!(*trie_)[node].contiguous() && (*trie_)[node].symbols + 2 <= level) lists_[node] = List{};
}

}  // namespace dragoman::rules
