#include "index/aligned_sentence.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace dragoman::index {
namespace {

constexpr size_t max_numbers = 3 << 20;  // 6 MB
constexpr size_t front_numbers = max_numbers / 4 * 3;
constexpr size_t unit = 4;

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

  AlignedSentence layout(const uint16_t* numbers) const { return layout(source, target, numbers); }
  static AlignedSentence layout(TextSpan source, TextSpan target, const uint16_t* numbers) {
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

SentenceCache::SentenceCache(const Snapshot& snapshot)
    : snapshot_(snapshot),
      table_size_(snapshot.bitext(0).sentences()),
      places_(static_cast<uint32_t*>(std::calloc(std::max<uint64_t>(table_size_, 1), sizeof(uint32_t)))) {
  if (!places_) throw std::bad_alloc();
  const IndexedBitext& bitext = snapshot.bitext(0);
  // Words, links (about one for each word) and separators.
  const uint64_t numbers = 4 * bitext.source_size() + bitext.target_tokens() + (head_numbers + unit) * table_size_;
  front_ = numbers <= front_numbers
               ? table_size_
               : static_cast<uint64_t>(double(table_size_) * double(front_numbers) / double(numbers));
  front_end_ = std::min<uint64_t>(numbers, front_numbers) / unit * unit;
  next_other_ = front_end_;
  // Takes no memory before it is used, and is never moved.
  records_.reserve(max_numbers);
}

AlignedSentence SentenceCache::get(SentencePlace sentence) {
  const uint32_t place = place_of(sentence);
  const size_t at = place != 0 ? (place - 1) * unit : add(sentence);
  Head head;
  std::memcpy(&head, records_.data() + at, sizeof head);
  return SentenceCode::layout({head.source_begin, head.source_begin + head.source_length},
                              {head.target_begin, head.target_begin + head.target_length},
                              records_.data() + at + head_numbers);
}

size_t SentenceCache::add(SentencePlace place) {
  const IndexedBitext& bitext = snapshot_.bitext_of(place);
  const SentenceCode code(bitext, Snapshot::number_of(place));
  const size_t at = place_for(place, (head_numbers + code.numbers() + unit - 1) / unit * unit);
  const Head head{code.source.begin, code.target.begin, static_cast<uint32_t>(code.source.size()),
                  static_cast<uint32_t>(code.target.size())};
  std::memcpy(records_.data() + at, &head, sizeof head);
  code.decode(bitext, records_.data() + at + head_numbers);
  uint32_t& record = place < table_size_ ? places_[place] : far_places_[place];
  record = static_cast<uint32_t>(at / unit) + 1;
  return at;
}

// Where a record of so many numbers may be written.
size_t SentenceCache::place_for(SentencePlace sentence, size_t need) {
  const bool front = sentence < front_ && next_front_ + need <= front_end_;
  if (!front && next_other_ + need > max_numbers && next_other_ > front_end_) {
    for (SentencePlace each : others_)
      if (each < table_size_) places_[each] = 0;
    far_places_.clear();
    others_.clear();
    next_other_ = front_end_;
  }
  size_t& next = front ? next_front_ : next_other_;
  const size_t at = next;
  next += need;
  if (records_.size() < next) records_.resize(next);
  if (!front) others_.push_back(sentence);
  return at;
}

}  // namespace dragoman::index
