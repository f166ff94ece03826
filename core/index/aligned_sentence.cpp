#include "index/aligned_sentence.h"

#include <algorithm>
#include <span>

namespace dragoman::index {
namespace {

// A sentence pair as it is stored.
struct SentenceCode {
  TextSpan source, target;
  std::span<const uint8_t> links;

  SentenceCode(const IndexedBitext& bitext, uint64_t sentence)
      : source(bitext.source_range(sentence)), target(bitext.target_range(sentence)), links(bitext.links(sentence)) {
    if (links.size() > 4 * IndexedBitext::max_links) bitext.fail("links.starts", "has an impossible length");
  }

  // How many numbers it takes decoded, at most.
  size_t numbers() const { return 3 * source.size() + target.size() + 2 + links.size(); }

  void decode(const IndexedBitext& bitext, uint16_t* numbers) const {
    const auto source_length = static_cast<uint32_t>(source.size()),
               target_length = static_cast<uint32_t>(target.size());
    uint16_t* source_links = numbers;
    uint16_t* target_links = source_links + source_length + 1;
    uint16_t* ends = target_links + target_length + 1;
    uint16_t* firsts = ends + source_length;
    uint16_t* targets = firsts + source_length;
    std::fill(source_links, firsts, uint16_t{0});
    std::fill(firsts, targets, AlignedSentence::none);
    uint32_t count = 0;
    bool in_order = true;
    // Links come by rising source word. A damaged file could hold targets out of order, which would turn projections
    // inside out, or more links than numbers can count. There are no branches here: where a word's links end is not to
    // be foretold.
    const bool whole = decode_links(links, source_length, target_length, [&](uint32_t from, uint32_t to) {
      in_order &= ends[from] <= to + 1;
      firsts[from] = static_cast<uint16_t>(std::min<uint32_t>(firsts[from], to));
      ends[from] = static_cast<uint16_t>(to + 1);
      ++source_links[from + 1];
      ++target_links[to + 1];
      targets[count++] = static_cast<uint16_t>(to);
    });
    if (!whole) bitext.fail("links", "has links outside their sentence");
    if (!in_order || count > IndexedBitext::max_links) bitext.fail("links", "is not in order");
    sum_up(source_links, source_length);
    sum_up(target_links, target_length);
  }

  AlignedSentence layout(const uint16_t* numbers) const {
    const uint16_t* target_links = numbers + source.size() + 1;
    const uint16_t* ends = target_links + target.size() + 1;
    const uint16_t* firsts = ends + source.size();
    return {source, target, numbers, target_links, firsts + source.size(), firsts, ends};
  }

 private:
  // Counts of each word become those before it.
  static void sum_up(uint16_t* counts, uint32_t length) {
    uint16_t sum = 0;
    for (uint32_t i = 1; i <= length; ++i) counts[i] = sum = static_cast<uint16_t>(sum + counts[i]);
  }
};

}  // namespace

AlignedSentence SentenceReader::read(const IndexedBitext& bitext, uint64_t sentence) {
  const SentenceCode code(bitext, sentence);
  if (numbers_.size() < code.numbers()) numbers_.resize(code.numbers());
  code.decode(bitext, numbers_.data());
  return code.layout(numbers_.data());
}

}  // namespace dragoman::index
