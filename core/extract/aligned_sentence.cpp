#include "extract/aligned_sentence.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace dragoman {
namespace {

constexpr size_t max_numbers = 4 << 20;  // 8 MB
constexpr size_t unit = 4;

}  // namespace

SentenceCache::SentenceCache(const IndexedBitext& bitext)
    : bitext_(bitext),
      places_(static_cast<uint32_t*>(std::calloc(std::max<uint64_t>(bitext.sentences(), 1), sizeof(uint32_t)))) {
  if (!places_) throw std::bad_alloc();
}

AlignedSentence SentenceCache::get(uint64_t sentence) {
  const uint32_t place = places_[sentence];
  const size_t at = place != 0 ? (place - 1) * unit : add(sentence);
  Head head;
  std::memcpy(&head, records_.data() + at, sizeof head);
  const uint16_t* words = records_.data() + at + head_numbers;
  const uint16_t* source_links = words + 2 * head.target_length;
  const uint16_t* target_links = source_links + head.source_length + 1;
  return {{head.source_begin, head.source_begin + head.source_length},
          {head.target_begin, head.target_begin + head.target_length},
          source_links,
          target_links,
          target_links + head.target_length + 1,
          reinterpret_cast<const WordId*>(words)};
}

void SentenceCache::fetch([[maybe_unused]] uint64_t sentence) const {
#if defined(__GNUC__)
  const uint32_t place = places_[sentence];
  if (place == 0) return;
  const uint16_t* record = records_.data() + (place - 1) * unit;
  __builtin_prefetch(record);
  __builtin_prefetch(record + 32);
  __builtin_prefetch(record + 64);
#endif
}

size_t SentenceCache::add(uint64_t sentence) {
  const TextRange source = bitext_.source_range(sentence), target = bitext_.target_range(sentence);
  const auto source_length = static_cast<uint32_t>(source.size()), target_length = static_cast<uint32_t>(target.size());
  const auto code = bitext_.links(sentence);
  if (code.size() > 4 * IndexedBitext::max_links) bitext_.fail("links.starts", "has an impossible length");
  const size_t need = head_numbers + source_length + 3 * target_length + 2 + code.size();
  if (records_.size() + need > max_numbers) {
    records_.clear();
    for (uint64_t each : kept_) places_[each] = 0;
    kept_.clear();
  }
  const size_t at = records_.size();
  records_.resize(at + (need + unit - 1) / unit * unit, 0);
  const Head head{source.begin, target.begin, source_length, target_length};
  std::memcpy(records_.data() + at, &head, sizeof head);
  uint16_t* words = records_.data() + at + head_numbers;
  for (uint32_t i = 0; i < target_length; ++i) {
    const WordId word = bitext_.target(target.begin + i);
    std::memcpy(words + 2 * i, &word, sizeof word);
  }
  uint16_t* source_links = words + 2 * target_length;
  uint16_t* target_links = source_links + source_length + 1;
  uint16_t* targets = target_links + target_length + 1;
  uint32_t count = 0;
  const bool whole = decode_links(code, source_length, target_length, [&](uint32_t from, uint32_t to) {
    ++source_links[from + 1];
    ++target_links[to + 1];
    if (count < IndexedBitext::max_links) targets[count] = static_cast<uint16_t>(to);
    ++count;
  });
  if (!whole || count > IndexedBitext::max_links) bitext_.fail("links", "has links outside their sentence");
  auto sum_up = [](uint16_t* numbers, uint32_t length) {
    for (uint32_t i = 0; i < length; ++i) numbers[i + 1] = static_cast<uint16_t>(numbers[i + 1] + numbers[i]);
  };
  sum_up(source_links, source_length);
  sum_up(target_links, target_length);
  // A damaged file could hold links out of order, which would turn projections inside out.
  for (uint32_t i = 0; i < source_length; ++i)
    if (!std::is_sorted(targets + source_links[i], targets + source_links[i + 1]))
      bitext_.fail("links", "is not in order");
  places_[sentence] = static_cast<uint32_t>(at / unit) + 1;
  kept_.push_back(sentence);
  return at;
}

}  // namespace dragoman
