#include "lm/ngram_order.h"

#include <algorithm>

#include "base/parallel.h"

namespace dragoman::lm {
namespace {

// How far ahead of use a random word of the text is asked for: enough to cover a memory access.
constexpr size_t prefetch_distance = 24;

inline void prefetch(const void* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

// One pass: positions sorted by k words become positions sorted by k + 1, by moving every position one to the right
// and sorting stably by the word found there. `next` receives the words, by old rank.
void sort_by_next_word(const std::vector<WordId>& text, const std::vector<uint32_t>& word_begin,
                       const std::vector<uint32_t>& from, std::vector<uint32_t>& to, std::vector<WordId>& next,
                       size_t threads, Monitor& monitor) {
  const size_t size = from.size();
  const auto last = static_cast<uint32_t>(size - 1);
  auto follow = [last](uint32_t position) { return position == last ? 0 : position + 1; };
  // A stable sort has one result, however it is cut up.
  const size_t shards = threads <= 1 ? 1 : threads;
  const size_t words = word_begin.size() - 1;
  std::vector<std::vector<uint32_t>> cursor(shards);
  for_each_shard(shards, threads, monitor, [&](size_t shard) {
    const ShardRange range = shard_range(size, shards, shard);
    auto& counts = cursor[shard];
    if (shards > 1) counts.assign(words, 0);
    for (size_t r = range.begin; r < range.end; ++r) {
      if (r + prefetch_distance < range.end) prefetch(&text[follow(from[r + prefetch_distance])]);
      const WordId word = text[follow(from[r])];
      next[r] = word;
      if (shards > 1) ++counts[word];
    }
  });
  if (shards == 1) {
    cursor[0].assign(word_begin.begin(), word_begin.end() - 1);
  } else {
    for (size_t word = 0; word < words; ++word) {
      uint32_t at = word_begin[word];
      for (auto& counts : cursor) {
        const uint32_t count = counts[word];
        counts[word] = at;
        at += count;
      }
    }
  }
  for_each_shard(shards, threads, monitor, [&](size_t shard) {
    const ShardRange range = shard_range(size, shards, shard);
    auto& at = cursor[shard];
    for (size_t r = range.begin; r < range.end; ++r) to[at[next[r]]++] = follow(from[r]);
  });
}

}  // namespace

NgramOrder sort_ngrams(std::vector<WordId> text, WordId vocabulary_size, uint32_t order, size_t threads,
                       Monitor& monitor) {
  if (threads == 0) threads = default_threads();
  const size_t size = text.size();
  NgramOrder sorted;
  sorted.word_begin.assign(vocabulary_size + size_t{1}, 0);
  for (WordId word : text) ++sorted.word_begin[word + 1];
  for (size_t word = 0; word < vocabulary_size; ++word) sorted.word_begin[word + 1] += sorted.word_begin[word];
  sorted.shape.resize(size);
  sorted.next_word.resize(size);
  if (size == 0) return sorted;

  std::vector<uint32_t> ranked(size);
  {
    std::vector<uint32_t> other(size);
    for (size_t i = 0; i < size; ++i) ranked[i] = static_cast<uint32_t>(i);
    for (uint32_t pass = 0; pass < order; ++pass) {
      monitor.poll();
      sort_by_next_word(text, sorted.word_begin, ranked, other, sorted.next_word, threads, monitor);
      ranked.swap(other);
    }
  }

  constexpr size_t shards = 64;
  for_each_shard(shards, threads, monitor, [&](size_t shard) {
    const ShardRange range = shard_range(size, shards, shard);
    // The words that end at a position, up to the beginning of the sentence. Every sentence opens with
    // sentence_begin, so the walk to the left stops before the text does.
    auto read = [&](size_t rank, WordId* words) {
      const uint32_t position = ranked[rank];
      uint8_t depth = 0;
      while (depth < order) {
        words[depth] = text[position - depth];
        ++depth;
        if (words[depth - 1] == sentence_begin) break;
      }
      return depth;
    };
    WordId previous[max_order];
    WordId current[max_order];
    uint8_t previous_depth = range.begin > 0 && range.begin < range.end ? read(range.begin - 1, previous) : uint8_t{0};
    for (size_t r = range.begin; r < range.end; ++r) {
      if (r + prefetch_distance < range.end) prefetch(&text[ranked[r + prefetch_distance]]);
      const uint8_t depth = read(r, current);
      uint8_t shared = 0;
      while (shared < depth && shared < previous_depth && current[shared] == previous[shared]) ++shared;
      sorted.shape[r].shared = shared & 15u;
      sorted.shape[r].depth = depth & 15u;
      sorted.next_word[r] = ranked[r] + 1 == size ? sentence_begin : text[ranked[r] + 1];
      std::copy_n(current, depth, previous);
      previous_depth = depth;
    }
  });
  return sorted;
}

}  // namespace dragoman::lm
