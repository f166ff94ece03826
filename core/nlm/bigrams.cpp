#include "nlm/bigrams.h"

#include <algorithm>

#include "base/errors.h"

namespace dragoman::nlm {
namespace {

// Bigrams that are sorted at once.
constexpr size_t most_unsorted = size_t{1} << 22;

// Bigrams as they come, sorted and counted a few at a time.
class BigramCounter {
 public:
  struct Counted {
    uint64_t key;  // the left word and the right one
    uint64_t count;
  };

  explicit BigramCounter(ArrayMemory* memory) : counted_(memory) {}

  void add(uint32_t left, uint32_t right) {
    unsorted_.push_back(uint64_t{left} << 32 | right);
    if (unsorted_.size() == most_unsorted) merge();
  }
  const Array<Counted>& finish() {
    merge();
    std::vector<uint64_t>().swap(unsorted_);
    return counted_;
  }

 private:
  void merge() {
    std::ranges::sort(unsorted_);
    Array<Counted> both(counted_.get_allocator());
    both.reserve(counted_.size() + unsorted_.size());
    auto old = counted_.begin();
    for (auto begin = unsorted_.begin(), end = begin; begin != unsorted_.end(); begin = end) {
      end = std::find_if(begin, unsorted_.end(), [&](uint64_t key) { return key != *begin; });
      while (old != counted_.end() && old->key < *begin) both.push_back(*old++);
      both.push_back({*begin, static_cast<uint64_t>(end - begin)});
      if (old != counted_.end() && old->key == *begin) both.back().count += (old++)->count;
    }
    both.insert(both.end(), old, counted_.end());
    counted_.swap(both);
    unsorted_.clear();
  }

  std::vector<uint64_t> unsorted_;
  Array<Counted> counted_;
};

using CountedBigrams = Array<BigramCounter::Counted>;

// Counting sort of the bigrams by one of their words; the other one stays sorted.
void fill_side(BigramCounts::Neighbours& side, const CountedBigrams& counted, uint32_t size, bool by_left) {
  const auto word_of = [](uint64_t key, bool left) { return static_cast<uint32_t>(left ? key >> 32 : key); };
  side.begin.assign(size + 1, 0);
  for (const auto& [key, count] : counted) ++side.begin[word_of(key, by_left) + 1];
  for (uint32_t word = 0; word < size; ++word) side.begin[word + 1] += side.begin[word];
  side.neighbours.resize(side.begin[size]);
  std::vector<uint64_t> next(side.begin.begin(), side.begin.end() - 1);
  for (const auto& [key, count] : counted)
    side.neighbours[next[word_of(key, by_left)]++] = {word_of(key, !by_left),
                                                      static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX))};
}

}  // namespace

BigramCounts count_bigrams(const std::vector<std::span<const WordId>>& texts, uint32_t size, Monitor& monitor,
                           ArrayMemory* memory) {
  BigramCounts bigrams(memory);
  bigrams.counts.assign(size, 0);
  BigramCounter counter(memory);
  bool inside = false;
  uint32_t left = sentence_end;
  for (std::span<const WordId> ids : texts)
    for (WordId word : ids) {
      if (word == no_word || word >= size) throw InputError(0, "the text has a word id outside the vocabulary");
      if (inside == (word == sentence_begin)) throw InputError(0, "the text is not sentences from <s> to </s>");
      inside = word != sentence_end;
      if (word == sentence_begin) continue;
      if (++bigrams.counts[word] % 65536 == 0) monitor.poll();
      counter.add(left, word);
      left = word;
    }
  if (inside) throw InputError(0, "the last sentence of the text has no end");
  const CountedBigrams& counted = counter.finish();
  fill_side(bigrams.after, counted, size, true);
  fill_side(bigrams.before, counted, size, false);
  return bigrams;
}

}  // namespace dragoman::nlm
