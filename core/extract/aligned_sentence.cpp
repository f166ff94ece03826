#include "extract/aligned_sentence.h"

#include <algorithm>

namespace dragoman {
namespace {

constexpr size_t block_numbers = 1 << 17;
constexpr size_t max_blocks = 32;  // 8 MB

}  // namespace

const AlignedSentence& SentenceCache::get(uint64_t sentence) {
  if (const uint32_t place = places_.find(sentence); place != FlatMap::absent) return sentences_[place];

  AlignedSentence made{bitext_.source_range(sentence), bitext_.target_range(sentence), nullptr, nullptr, nullptr};
  const auto source_length = static_cast<uint32_t>(made.source.size());
  const auto target_length = static_cast<uint32_t>(made.target.size());
  const auto code = bitext_.links(sentence);
  if (code.size() > 4 * IndexedBitext::max_links) bitext_.fail("links.starts", "has an impossible length");
  const size_t need = source_length + target_length + 2 + code.size();
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < need) {
    if (blocks_.size() >= max_blocks) {
      blocks_.clear();
      sentences_.clear();
      places_.clear();
    }
    blocks_.emplace_back().reserve(std::max(block_numbers, need));
  }
  std::vector<uint16_t>& block = blocks_.back();
  const size_t at = block.size();
  block.resize(at + need, 0);
  uint16_t* source_links = block.data() + at;
  uint16_t* target_links = source_links + source_length + 1;
  uint16_t* targets = target_links + target_length + 1;
  uint32_t count = 0;
  const bool whole = decode_links(code, source_length, target_length, [&](uint32_t source, uint32_t target) {
    ++source_links[source + 1];
    ++target_links[target + 1];
    if (count < IndexedBitext::max_links) targets[count] = static_cast<uint16_t>(target);
    ++count;
  });
  if (!whole || count > IndexedBitext::max_links) bitext_.fail("links", "has links outside their sentence");
  for (uint32_t i = 0; i < source_length; ++i) source_links[i + 1] = static_cast<uint16_t>(source_links[i + 1] + source_links[i]);
  for (uint32_t i = 0; i < target_length; ++i) target_links[i + 1] = static_cast<uint16_t>(target_links[i + 1] + target_links[i]);
  // A damaged file could hold links out of order, which would turn projections inside out.
  for (uint32_t i = 0; i < source_length; ++i)
    if (!std::is_sorted(targets + source_links[i], targets + source_links[i + 1]))
      bitext_.fail("links", "is not in order");
  made.source_links = source_links;
  made.target_links = target_links;
  made.targets = targets;
  places_[sentence] = static_cast<uint32_t>(sentences_.size());
  sentences_.push_back(made);
  return sentences_.back();
}

}  // namespace dragoman
