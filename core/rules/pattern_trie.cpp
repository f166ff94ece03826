#include "rules/pattern_trie.h"

#include <algorithm>

namespace dragoman::rules {

uint32_t PatternTrie::add(uint32_t node, bool gap, WordId word, uint32_t suffix) {
  uint32_t& slot = children_[key(node, gap, word)];
  if (slot != none) return slot;
  slot = size();
  PatternNode made;
  const PatternNode& parent = nodes_[node];
  made.parent = node;
  made.suffix = suffix;
  made.word = word;
  made.gap_before = gap;
  made.symbols = parent.symbols + (gap ? 2 : 1);
  std::copy(std::begin(parent.phrases), std::end(parent.phrases), std::begin(made.phrases));
  std::copy(std::begin(parent.lengths), std::end(parent.lengths), std::begin(made.lengths));
  made.phrase_count = static_cast<uint8_t>(std::max<int>(parent.phrase_count, 1) + (gap ? 1 : 0));
  if (made.phrase_count == 1) {
    made.phrases[0] = slot;
  } else {
    uint32_t& last = made.phrases[made.phrase_count - 1];
    last = children_.find(key(gap ? root : last, false, word));
  }
  // No text has a longer phrase than a sentence, so that a length that does not fit is never asked for.
  ++made.lengths[made.phrase_count - 1];
  nodes_.push_back(made);
  return size() - 1;
}

void PatternTrie::set_sample(uint32_t node, std::span<const Match> matches) {
  nodes_[node].matches_begin = matches_.size();
  matches_.insert(matches_.end(), matches.begin(), matches.end());
  nodes_[node].matches_end = matches_.size();
}

std::vector<WordId> PatternTrie::symbols(uint32_t node, Variant variant) const {
  std::vector<WordId> found;
  if (variant & gap_right) found.push_back(0);
  for (; node != root; node = nodes_[node].parent) {
    found.push_back(nodes_[node].word);
    if (nodes_[node].gap_before) found.push_back(0);
  }
  if (variant & gap_left) found.push_back(0);
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace dragoman::rules
