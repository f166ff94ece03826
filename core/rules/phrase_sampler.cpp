#include "rules/phrase_sampler.h"

namespace dragoman::rules {

void PhraseSampler::start(const PatternTrie& trie, std::optional<SentencePlace> left_out) {
  trie_ = &trie;
  excluded_.clear();
  for (uint32_t segment = 0; segment < segments(); ++segment) excluded_.push_back(snapshot_.excluded(segment));
  if (left_out)
    excluded_[Snapshot::segment_of(*left_out)].range =
        snapshot_.bitext_of(*left_out).source_range(Snapshot::number_of(*left_out));
  for (auto& ranks : ranks_) ranks.clear();
}

bool PhraseSampler::find(uint32_t node) {
  const PatternNode& pattern = (*trie_)[node];
  bool any = false;
  for (uint32_t segment = 0; segment < segments(); ++segment) {
    const IndexedBitext& bitext = snapshot_.bitext(segment);
    std::vector<TextSpan>& ranks = ranks_[segment];
    if (ranks.size() <= node) ranks.resize(node + size_t{1});
    const TextSpan within =
        pattern.parent == PatternTrie::root ? TextSpan{0, bitext.source_tokens()} : ranks[pattern.parent];
    if (!within.empty()) ranks[node] = narrow(bitext, within, (*trie_)[pattern.parent].symbols, pattern.word);
    any |= !ranks[node].empty();
  }
  return any;
}

void PhraseSampler::sample(uint32_t node, Samples& samples) {
  for (uint32_t segment = samples.knows_base(node) ? 1 : 0; segment < segments(); ++segment) {
    if (occurrences(segment, node) == 0) continue;
    sample_ranks(snapshot_.bitext(segment), ranks(segment, node), excluded(segment), samples.most(), matches_);
    samples.add(node, segment, matches_);
  }
}

}  // namespace dragoman::rules
