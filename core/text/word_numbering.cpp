#include "text/word_numbering.h"

#include <algorithm>
#include <string>

#include "base/errors.h"
#include "base/hash.h"

namespace dragoman::text {

uint32_t WordNumbering::find(std::string_view word) const {
  return numbers_.find(hash_bytes(word), [&](uint32_t known) { return this->word(known) == word; });
}

uint32_t WordNumbering::number(std::string_view word) {
  const auto [number, is_new] =
      numbers_.add(hash_bytes(word), [&](uint32_t known) { return this->word(known) == word; });
  if (is_new) {
    if (number >= most_words_)
      throw InputError(
          0, "the text has more than " + std::to_string(most_words_) + " different words; train on a part of it");
    strings_ += word;
    begins_.push_back(strings_.size());
  }
  return number;
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
