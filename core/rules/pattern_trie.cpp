#include "rules/pattern_trie.h"

#include <algorithm>

namespace dragoman::rules {

uint32_t PatternTrie::add(uint32_t node, bool gap, WordId word, uint32_t suffix) {
  uint32_t& slot = children_[key(node, gap, word)];
  if (slot != none) return slot;
  slot = size();
  PatternNode child;
  const PatternNode& parent = nodes_[node];
  child.parent = node;
  child.suffix = suffix;
  child.word = word;
  child.gap_before = gap;
  child.symbols = parent.symbols + (gap ? 2 : 1);
  std::copy(std::begin(parent.phrases), std::end(parent.phrases), std::begin(child.phrases));
  std::copy(std::begin(parent.lengths), std::end(parent.lengths), std::begin(child.lengths));
  child.phrase_count = static_cast<uint8_t>(std::max<int>(parent.phrase_count, 1) + (gap ? 1 : 0));
  if (child.phrase_count == 1) {
    child.phrases[0] = slot;
  } else {
    uint32_t& last = child.phrases[child.phrase_count - 1];
    last = children_.find(key(gap ? root : last, false, word));
  }
  // No text has a longer phrase than a sentence, so that a length that does not fit is never asked for.
  ++child.lengths[child.phrase_count - 1];
  nodes_.push_back(child);
  return size() - 1;
}

void PatternTrie::set_sample(uint32_t node, std::span<const Match> matches) {
  nodes_[node].matches_begin = matches_.size();
  matches_.insert(matches_.end(), matches.begin(), matches.end());
  nodes_[node].matches_end = matches_.size();
}

std::vector<WordId> PatternTrie::symbols(uint32_t node, Variant variant) const {
  std::vector<WordId> symbols;
  if (variant & gap_right) symbols.push_back(0);
  for (; node != root; node = nodes_[node].parent) {
    symbols.push_back(nodes_[node].word);
    if (nodes_[node].gap_before) symbols.push_back(0);
  }
  if (variant & gap_left) symbols.push_back(0);
  std::reverse(symbols.begin(), symbols.end());
  return symbols;
}

}  // namespace dragoman::rules
