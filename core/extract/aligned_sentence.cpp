#include "extract/aligned_sentence.h"

#include <algorithm>
#include <cstring>

namespace dragoman {
namespace {

constexpr size_t max_numbers = 4 << 20;  // 8 MB
constexpr size_t unit = 4;

}  // namespace

AlignedSentence SentenceCache::get(SentencePlace sentence) {
  const uint32_t place = places_.find(sentence);
  const size_t at = place != FlatMap::absent ? place * unit : add(sentence);
  Head head;
  std::memcpy(&head, records_.data() + at, sizeof head);
  const uint16_t* source_links = records_.data() + at + head_numbers;
  const uint16_t* target_links = source_links + head.source_length + 1;
  return {{head.source_begin, head.source_begin + head.source_length},
          {head.target_begin, head.target_begin + head.target_length},
          source_links,
          target_links,
          target_links + head.target_length + 1};
}

void SentenceCache::fetch([[maybe_unused]] SentencePlace sentence) const {
#if defined(__GNUC__)
  const uint32_t place = places_.find(sentence);
  if (place == FlatMap::absent) return;
  const uint16_t* record = records_.data() + place * unit;
  __builtin_prefetch(record);
  __builtin_prefetch(record + 32);
#endif
}

size_t SentenceCache::add(SentencePlace place) {
  const IndexedBitext& bitext = snapshot_.bitext_of(place);
  const uint64_t sentence = Snapshot::number_of(place);
  const TextRange source = bitext.source_range(sentence), target = bitext.target_range(sentence);
  const auto source_length = static_cast<uint32_t>(source.size()), target_length = static_cast<uint32_t>(target.size());
  const auto code = bitext.links(sentence);
  if (code.size() > 4 * IndexedBitext::max_links) bitext.fail("links.starts", "has an impossible length");
  const size_t need = head_numbers + source_length + target_length + 2 + code.size();
  if (records_.size() + need > max_numbers) {
    records_.clear();
    places_.clear();
  }
  const size_t at = records_.size();
  records_.resize(at + (need + unit - 1) / unit * unit, 0);
  const Head head{source.begin, target.begin, source_length, target_length};
  std::memcpy(records_.data() + at, &head, sizeof head);
  uint16_t* source_links = records_.data() + at + head_numbers;
  uint16_t* target_links = source_links + source_length + 1;
  uint16_t* targets = target_links + target_length + 1;
  uint32_t count = 0;
  const bool whole = decode_links(code, source_length, target_length, [&](uint32_t from, uint32_t to) {
    ++source_links[from + 1];
    ++target_links[to + 1];
    if (count < IndexedBitext::max_links) targets[count] = static_cast<uint16_t>(to);
    ++count;
  });
  if (!whole || count > IndexedBitext::max_links) bitext.fail("links", "has links outside their sentence");
  auto sum_up = [](uint16_t* numbers, uint32_t length) {
    for (uint32_t i = 0; i < length; ++i) numbers[i + 1] = static_cast<uint16_t>(numbers[i + 1] + numbers[i]);
  };
  sum_up(source_links, source_length);
  sum_up(target_links, target_length);
  // A damaged file could hold links out of order, which would turn projections inside out.
  for (uint32_t i = 0; i < source_length; ++i)
    if (!std::is_sorted(targets + source_links[i], targets + source_links[i + 1]))
      bitext.fail("links", "is not in order");
  places_[place] = static_cast<uint32_t>(at / unit);
  return at;
}

}  // namespace dragoman
