#include "nlm/bigrams.h"

#include <algorithm>

#include "base/errors.h"
#include "base/parallel.h"
#include "nlm/format.h"

namespace dragoman::nlm {

BigramCounts count_bigrams(std::span<const int32_t> ids, uint32_t size, size_t threads, Monitor& monitor) {
  BigramCounts bigrams;
  bigrams.counts.assign(size, 0);
  // Sorted in shards by left word, so that shards are sorted one after the other.
  constexpr size_t shards = 64;
  std::vector<std::vector<uint64_t>> keys(shards);
  bool inside = false;
  uint32_t left = sentence_end;
  for (int32_t id : ids) {
    const auto word = static_cast<uint32_t>(id);
    if (id <= 0 || word >= size) throw InputError(0, "the text has a word id outside the vocabulary");
    if (inside == (word == sentence_begin)) throw InputError(0, "the text is not sentences from <s> to </s>");
    if (word == sentence_begin) {
      inside = true;
      continue;
    }
    keys[left % shards].push_back(uint64_t{left} << 32 | word);
    ++bigrams.counts[word];
    inside = word != sentence_end;
    left = word;
  }
  if (inside) throw InputError(0, "the last sentence of the text has no end");

  std::vector<std::vector<std::pair<uint64_t, uint32_t>>> counted(shards);
  for_each_shard(shards, threads, monitor, [&](size_t shard) {
    auto& mine = keys[shard];
    std::ranges::sort(mine);
    for (size_t at = 0; at < mine.size();) {
      size_t end = at;
      while (end < mine.size() && mine[end] == mine[at]) ++end;
      counted[shard].emplace_back(mine[at], static_cast<uint32_t>(std::min<size_t>(end - at, UINT32_MAX)));
      at = end;
    }
    mine = {};
  });
  // Counting sort of the bigrams by one of their words.
  auto by = [&](bool by_left) {
    BigramCounts::Neighbours side;
    side.begin.assign(size + 1, 0);
    auto word_of = [&](uint64_t key, bool first) { return static_cast<uint32_t>(first ? key >> 32 : key); };
    for (const auto& part : counted)
      for (const auto& [key, count] : part) ++side.begin[word_of(key, by_left) + 1];
    for (uint32_t word = 0; word < size; ++word) side.begin[word + 1] += side.begin[word];
    side.neighbours.resize(side.begin[size]);
    std::vector<uint64_t> next(side.begin.begin(), side.begin.end() - 1);
    for (const auto& part : counted)
      for (const auto& [key, count] : part)
        side.neighbours[next[word_of(key, by_left)]++] = {word_of(key, !by_left), count};
    for (uint32_t word = 0; word < size; ++word)
      std::ranges::sort(side.neighbours.begin() + static_cast<ptrdiff_t>(side.begin[word]),
                        side.neighbours.begin() + static_cast<ptrdiff_t>(side.begin[word + 1]), {},
                        &BigramCounts::Neighbour::word);
    return side;
  };
  bigrams.after = by(true);
  bigrams.before = by(false);
  return bigrams;
}

}  // namespace dragoman::nlm
