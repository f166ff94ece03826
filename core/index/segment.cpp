#include "index/segment.h"

#include <algorithm>

#include "index/bitext_builder.h"

namespace dragoman::index {

IndexedPair read_pair(const IndexedBitext& bitext, uint64_t sentence) {
  const TextSpan source = bitext.source_range(sentence), target = bitext.target_range(sentence);
  IndexedPair pair{bitext.stable_id(sentence), {}, {}, {}, bitext.memory(sentence)};
  pair.source.reserve(source.size());
  pair.target.reserve(target.size());
  for (uint64_t at = source.begin; at < source.end; ++at) pair.source.push_back(bitext.known_source(at));
  for (uint64_t at = target.begin; at < target.end; ++at) pair.target.push_back(bitext.target(at));
  const bool whole =
      decode_links(bitext.links(sentence), static_cast<uint32_t>(source.size()), static_cast<uint32_t>(target.size()),
                   [&](uint32_t from, uint32_t to) { pair.links.push_back({from, to}); });
  if (!whole) bitext.fail("links", "has links outside their sentence");
  return pair;
}

std::shared_ptr<const Segment> build_segment(std::vector<IndexedPair>& pairs, WordId source_vocabulary,
                                             WordId target_vocabulary, uint64_t seed) {
  std::sort(pairs.begin(), pairs.end(), [&](const IndexedPair& a, const IndexedPair& b) {
    return sample_order(seed, a.stable_id) < sample_order(seed, b.stable_id);
  });
  BitextBuilder builder(source_vocabulary, target_vocabulary, seed);
  LinkCounts counts;
  NgramCounts ngrams;
  for (IndexedPair& pair : pairs) {
    builder.add(pair.stable_id, pair.source, pair.target, pair.links, pair.memory);
    counts.add(pair.source, pair.target, pair.links);
    ngrams.add(pair.target);
  }
  builder.sort_suffixes();
  ContainerWriter writer(IndexedBitext::kind);
  builder.add_to(writer);
  const Container container =
      Container::parse(Buffer::own(writer.bytes(), "added pairs"), IndexedBitext::kind, Trust::skip_hashes);
  return std::make_shared<const Segment>(
      Segment{IndexedBitext(container, source_vocabulary, target_vocabulary), std::move(counts), std::move(ngrams)});
}

}  // namespace dragoman::index
