#include "text/word_numbering.h"

#include <algorithm>

#include "base/errors.h"
#include "base/hash.h"

namespace dragoman::text {

uint64_t WordNumbering::place_of(std::string_view word, uint64_t hash) const {
  const uint64_t mask = slots_.size() - 1;
  const auto tag = static_cast<uint32_t>(hash >> 32);
  uint64_t slot = hash & mask;
  while (slots_[slot].entry != 0 && (slots_[slot].tag != tag || this->word(slots_[slot].entry - 1) != word))
    slot = (slot + 1) & mask;
  return slot;
}

uint32_t WordNumbering::find(std::string_view word) const {
  // An empty slot holds 0, which is one more than `absent`.
  return slots_[place_of(word, hash_bytes(word))].entry - 1;
}

uint32_t WordNumbering::number(std::string_view word) {
  const uint64_t hash = hash_bytes(word);
  Slot& slot = slots_[place_of(word, hash)];
  if (slot.entry != 0) return slot.entry - 1;
  const uint32_t number = size();
  if (number >= UINT32_MAX - 64) throw InputError(0, "there are more different words than ids");
  slot = {static_cast<uint32_t>(hash >> 32), number + 1};
  strings_ += word;
  begins_.push_back(strings_.size());
  if (uint64_t{size()} * 2 > slots_.size()) grow();
  return number;
}

void WordNumbering::grow() {
  std::vector<Slot> larger(slots_.size() * 4);
  const uint64_t mask = larger.size() - 1;
  for (uint32_t number = 0; number < size(); ++number) {
    const uint64_t hash = hash_bytes(word(number));
    uint64_t slot = hash & mask;
    while (larger[slot].entry != 0) slot = (slot + 1) & mask;
    larger[slot] = {static_cast<uint32_t>(hash >> 32), number + 1};
  }
  slots_ = std::move(larger);
}

std::vector<uint32_t> by_falling_count(const WordNumbering& words, std::span<const uint64_t> counts) {
  std::vector<uint32_t> order;
  for (uint32_t number = 0; number < words.size(); ++number)
    if (counts[number] > 0) order.push_back(number);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : words.word(a) < words.word(b);
  });
  return order;
}

}  // namespace dragoman::text
