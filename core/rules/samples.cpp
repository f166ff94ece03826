#include "rules/samples.h"

namespace dragoman::rules {

void Samples::add(uint32_t node, uint32_t segment, std::span<const Match> matches) {
  if (matches.empty()) return;
  if (segment == 0) {
    trie_->set_sample(node, matches);
    Base& base = base_of(node);
    base.begin = (*trie_)[node].matches_begin;
    base.end = (*trie_)[node].matches_end;
    return;
  }
  tagged_.clear();
  for (Match match : matches) tagged_.push_back(in_segment(match, segment));
  snapshot_.merge_samples(trie_->sample(node), tagged_, most_, merged_);
  trie_->set_sample(node, merged_);
}

void Samples::know_base(uint32_t node, std::span<const Match> matches) {
  base_of(node).known = true;
  add(node, 0, matches);
}

}  // namespace dragoman::rules
