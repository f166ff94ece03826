#include "index/suffix_array.h"

#include <algorithm>

#include "base/prefetch.h"

namespace dragoman::index {
namespace {

// How far ahead of the scan the text is fetched; inducing is bound by the latency of these loads.
constexpr int64_t scan_ahead = 32;

template <class Symbol, class Position>
class InducedSorter {
 public:
  InducedSorter(const Symbol* text, Position* suffixes, Position size, Position alphabet)
      : text_(text), suffixes_(suffixes), size_(size), counts_(alphabet, 0), buckets_(alphabet) {
    for (Position i = 0; i < size; ++i) ++counts_[text[i]];
  }

  void sort() {
    if (size_ == 0) return;
    const Position sampled = sort_sampled_substrings();
    if (sampled > 1) sort_sampled_suffixes(sampled);
    place_sampled(sampled);
    induce();
  }

 private:
  void bucket_begins() {
    Position sum = 0;
    for (size_t c = 0; c < counts_.size(); ++c) {
      buckets_[c] = sum;
      sum += counts_[c];
    }
  }
  void bucket_ends() {
    Position sum = 0;
    for (size_t c = 0; c < counts_.size(); ++c) buckets_[c] = sum += counts_[c];
  }

  // Calls visit(i) for every sampled position (leftmost of its run of rising suffixes), from right to left.
  template <class Visit>
  void for_each_sampled(Visit&& visit) const {
    bool next_rises = false;
    for (Position i = size_ - 1; i-- > 0;) {
      const bool rises = text_[i] < text_[i + 1] || (text_[i] == text_[i + 1] && next_rises);
      if (!rises && next_rises) visit(i + 1);
      next_rises = rises;
    }
  }

  // With the sampled suffixes at the ends of their buckets in order, puts every other suffix in its place: falling
  // ones from left to right, then rising ones from right to left. Afterwards buckets_[c] is where the rising suffixes
  // of c begin.
  void induce() {
    bucket_begins();
    suffixes_[buckets_[text_[size_ - 1]]++] = size_ - 1;
    for (Position i = 0; i < size_; ++i) {
      if (i + scan_ahead < size_ && suffixes_[i + scan_ahead] > 0) prefetch(&text_[suffixes_[i + scan_ahead] - 1]);
      const Position after = suffixes_[i];
      if (after <= 0) continue;
      const Symbol symbol = text_[after - 1];
      if (symbol >= text_[after]) suffixes_[buckets_[symbol]++] = after - 1;
    }
    bucket_ends();
    for (Position i = size_; i-- > 0;) {
      if (i >= scan_ahead && suffixes_[i - scan_ahead] > 0) prefetch(&text_[suffixes_[i - scan_ahead] - 1]);
      const Position after = suffixes_[i];
      if (after <= 0) continue;
      const Symbol symbol = text_[after - 1];
      const Symbol next = text_[after];
      if (symbol < next || (symbol == next && buckets_[symbol] <= i)) suffixes_[--buckets_[symbol]] = after - 1;
    }
  }

  // Sorts the substrings between neighbouring sampled positions; leaves the positions in that order at the front and
  // returns their number.
  Position sort_sampled_substrings() {
    std::fill(suffixes_, suffixes_ + size_, Position{-1});
    bucket_ends();
    for_each_sampled([&](Position i) { suffixes_[--buckets_[text_[i]]] = i; });
    induce();
    Position sampled = 0;
    for (Position i = 0; i < size_; ++i) {
      const Position at = suffixes_[i];
      if (at > 0 && text_[at - 1] > text_[at] && buckets_[text_[at]] <= i) suffixes_[sampled++] = at;
    }
    return sampled;
  }

  // Names equal substrings equally and sorts the sampled suffixes by their strings of names.
  void sort_sampled_suffixes(Position sampled) {
    Position* lengths = suffixes_ + sampled;
    std::fill(lengths, suffixes_ + size_, Position{-1});
    // Sampled positions are at least two apart, so i / 2 tells them apart. The last substring runs into the end of the
    // text and equals no other.
    Position next = size_;
    for_each_sampled([&](Position i) {
      lengths[i / 2] = next - i + 1;
      next = i;
    });
    Position names = 0, previous = 0, previous_length = 0;
    for (Position i = 0; i < sampled; ++i) {
      const Position at = suffixes_[i], length = lengths[at / 2];
      const bool same = i > 0 && length == previous_length && at + length <= size_ && previous + length <= size_ &&
                        std::equal(text_ + at, text_ + at + length, text_ + previous);
      if (!same) ++names;
      lengths[at / 2] = names - 1;
      previous = at;
      previous_length = length;
    }
    if (names == sampled) return;
    Position* reduced = suffixes_ + size_ - sampled;
    for (Position i = size_, to = size_; i-- > sampled;)
      if (suffixes_[i] >= 0) suffixes_[--to] = suffixes_[i];
    InducedSorter<Position, Position>(reduced, suffixes_, sampled, names).sort();
    Position at = sampled;
    for_each_sampled([&](Position i) { reduced[--at] = i; });
    for (Position i = 0; i < sampled; ++i) suffixes_[i] = reduced[suffixes_[i]];
  }

  void place_sampled(Position sampled) {
    std::fill(suffixes_ + sampled, suffixes_ + size_, Position{-1});
    bucket_ends();
    for (Position i = sampled; i-- > 0;) {
      const Position at = suffixes_[i];
      suffixes_[i] = -1;
      suffixes_[--buckets_[text_[at]]] = at;
    }
  }

  const Symbol* text_;
  Position* suffixes_;
  Position size_;
  std::vector<Position> counts_;
  std::vector<Position> buckets_;
};

}  // namespace

template <class Position>
std::vector<Position> suffix_array(std::span<const uint32_t> text, uint32_t alphabet) {
  std::vector<Position> suffixes(text.size());
  InducedSorter<uint32_t, Position>(text.data(), suffixes.data(), static_cast<Position>(text.size()),
                                    static_cast<Position>(alphabet))
      .sort();
  return suffixes;
}

template std::vector<int32_t> suffix_array(std::span<const uint32_t>, uint32_t);
template std::vector<int64_t> suffix_array(std::span<const uint32_t>, uint32_t);

}  // namespace dragoman::index
