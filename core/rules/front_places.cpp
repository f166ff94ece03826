#include "rules/front_places.h"

#include <algorithm>

namespace dragoman::rules {
namespace {

// A place has 16 bits.
constexpr size_t most_words = 1 << 16;

}  // namespace

FrontPlaces::FrontPlaces(const IndexedBitext& bitext, uint64_t size, uint32_t told, uint32_t block_words)
    : told_(told) {
  std::vector<uint16_t> words;  // of the block at hand
  size_t whole = 0;             // of these, the words of whole sentences
  const auto finish = [&] {
    const uint64_t begin = this->size();
    blocks_.push_back(make_block(begin, std::span(words).first(whole)));
    words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(whole));
    whole = 0;
  };
  for (uint64_t at = 0; at < size; ++at) {
    if (words.size() == most_words) {
      if (whole == 0) bitext.fail("source", "has a sentence that is too long");
      finish();
    }
    const WordId word = bitext.source(at);
    words.push_back(static_cast<uint16_t>(std::min(word, told_)));
    if (word != Vocabulary::separator) continue;
    whole = words.size();
    if (whole >= block_words) finish();
  }
  if (whole != words.size()) bitext.fail("source", "has a sentence without end");
  if (whole > 0) finish();
}

FrontPlaces::Block FrontPlaces::make_block(uint64_t begin, std::span<const uint16_t> words) const {
  Block block;
  block.begin_ = begin;
  block.size_ = static_cast<uint32_t>(words.size());
  block.starts_.assign(told_ + 1, 0);
  std::vector<uint32_t>& starts = block.starts_;
  for (uint16_t word : words)
    if (word < told_) ++starts[word + 1];
  for (uint32_t word = 0; word < told_; ++word) starts[word + 1] += starts[word];
  block.places_.resize(starts[told_]);
  std::vector<uint32_t> next(starts);
  for (size_t at = 0; at < words.size(); ++at)
    if (words[at] < told_) block.places_[next[words[at]]++] = static_cast<uint16_t>(at);
  return block;
}

}  // namespace dragoman::rules
