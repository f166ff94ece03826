#include "lm/ngram_order.h"

#include <algorithm>
#include <array>
#include <compare>

#include "base/parallel.h"
#include "base/prefetch.h"

namespace dragoman::lm {
namespace {

// How far ahead of use a random word of the text is asked for: enough to cover a memory access.
constexpr size_t prefetch_distance = 24;

// One pass: positions sorted by k words become positions sorted by k + 1, by moving every position one to the right
// and sorting stably by the word found there. `next` receives the words, by old rank.
void sort_by_next_word(std::span<const WordId> text, const std::vector<uint32_t>& word_begin,
                       std::span<const uint32_t> from, std::span<uint32_t> to, std::span<WordId> next, size_t threads,
                       Monitor& monitor) {
  const size_t size = from.size();
  const auto last = static_cast<uint32_t>(size - 1);
  auto follow = [last](uint32_t position) { return position == last ? 0 : position + 1; };
  // A stable sort has one result, however it is cut up.
  const size_t shards = threads <= 1 ? 1 : threads;
  const size_t words = word_begin.size() - 1;
  std::vector<std::vector<uint32_t>> cursor(shards);
  for_each_shard(shards, threads, monitor, [&](size_t shard) {
    const Interval<size_t> range = shard_range(size, shards, shard);
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
    const Interval<size_t> range = shard_range(size, shards, shard);
    auto& at = cursor[shard];
    for (size_t r = range.begin; r < range.end; ++r) to[at[next[r]]++] = follow(from[r]);
  });
}

std::vector<uint32_t> count_words(std::span<const WordId> text, WordId vocabulary_size) {
  std::vector<uint32_t> begin(vocabulary_size + size_t{1}, 0);
  for (WordId word : text) ++begin[word + 1];
  for (size_t word = 0; word < vocabulary_size; ++word) begin[word + 1] += begin[word];
  return begin;
}

// Positions by the words that end there. `next_word` is room to work in.
Array<uint32_t> sort_positions(std::span<const WordId> text, const std::vector<uint32_t>& word_begin,
                               Array<WordId>& next_word, const SortOptions& options, Monitor& monitor) {
  ArrayMemory* const memory = next_word.get_allocator().resource();
  Array<uint32_t> ranked(text.size(), memory), other(text.size(), memory);
  for (size_t i = 0; i < ranked.size(); ++i) ranked[i] = static_cast<uint32_t>(i);
  for (uint32_t pass = 0; pass < options.order; ++pass) {
    monitor.poll();
    sort_by_next_word(text, word_begin, ranked, other, next_word, options.threads, monitor);
    ranked.swap(other);
  }
  return ranked;
}

// The words that end at a position, newest first, up to the beginning of the sentence.
struct Ending {
  std::array<WordId, max_order> words;
  uint8_t depth = 0;

  void read(std::span<const WordId> text, size_t position, uint32_t order) {
    // Every sentence opens with sentence_begin, so the walk to the left stops before the text does.
    depth = 0;
    while (depth < order) {
      words[depth] = text[position - depth];
      ++depth;
      if (words[depth - 1] == sentence_begin) break;
    }
  }
  uint8_t shared_with(const Ending& other) const {
    uint8_t shared = 0;
    while (shared < depth && shared < other.depth && words[shared] == other.words[shared]) ++shared;
    return shared;
  }
  // No ending is the beginning of another: a shorter one closes with sentence_begin.
  std::strong_ordering operator<=>(const Ending& other) const {
    const uint8_t shared = shared_with(other);
    if (shared == depth || shared == other.depth) return std::strong_ordering::equal;
    return words[shared] <=> other.words[shared];
  }
};

RankShape shape_of(const Ending& ending, const Ending& before) {
  RankShape shape;
  shape.shared = ending.shared_with(before) & 15u;
  shape.depth = ending.depth & 15u;
  return shape;
}

NgramOrder sort_whole(Array<WordId> text, const SortOptions& options, Monitor& monitor) {
  const size_t size = text.size();
  NgramOrder sorted(text.get_allocator().resource());
  sorted.word_begin = count_words(text, options.vocabulary_size);
  sorted.shape.resize(size);
  sorted.next_word.resize(size);
  if (size == 0) return sorted;
  const Array<uint32_t> ranked = sort_positions(text, sorted.word_begin, sorted.next_word, options, monitor);
  constexpr size_t shards = 64;
  for_each_shard(shards, options.threads, monitor, [&](size_t shard) {
    const Interval<size_t> range = shard_range(size, shards, shard);
    Ending previous, current;
    if (range.begin > 0 && range.begin < range.end) previous.read(text, ranked[range.begin - 1], options.order);
    for (size_t r = range.begin; r < range.end; ++r) {
      if (r + prefetch_distance < range.end) prefetch(&text[ranked[r + prefetch_distance]]);
      current.read(text, ranked[r], options.order);
      sorted.shape[r] = shape_of(current, previous);
      sorted.next_word[r] = ranked[r] + 1 == size ? sentence_begin : text[ranked[r] + 1];
      previous = current;
    }
  });
  return sorted;
}

// A sorted piece of the text, read from front to back when pieces are merged.
struct Piece {
  Array<RankShape> shape;
  Array<WordId> next_word;
  Array<WordId> added;  // the words that each rank does not share with the one before it

  size_t rank = 0, added_at = 0;
  Ending ending;

  explicit Piece(ArrayMemory* memory) : shape(memory), next_word(memory), added(memory) {}

  bool load() {
    if (rank == shape.size()) return false;
    ending.depth = shape[rank].depth;
    for (uint8_t k = shape[rank].shared; k < ending.depth; ++k) ending.words[k] = added[added_at++];
    return true;
  }
};

Piece sort_piece(std::span<const WordId> text, const SortOptions& options, ArrayMemory* memory, Monitor& monitor) {
  const Array<WordId> words(text.begin(), text.end());  // in memory, because they are read at random
  const size_t size = words.size();
  Piece piece(memory);
  Array<WordId> next_word(size);
  const Array<uint32_t> ranked =
      sort_positions(words, count_words(words, options.vocabulary_size), next_word, options, monitor);
  piece.shape.reserve(size);
  piece.next_word.reserve(size);
  // Counted first, so that the array never moves.
  Ending previous, current;
  size_t added = 0;
  for (size_t r = 0; r < size; ++r) {
    current.read(words, ranked[r], options.order);
    piece.shape.push_back(shape_of(current, previous));
    piece.next_word.push_back(ranked[r] + 1 == size ? sentence_begin : words[ranked[r] + 1]);
    added += piece.shape[r].depth - piece.shape[r].shared;
    previous = current;
  }
  piece.added.reserve(added);
  for (size_t r = 0; r < size; ++r) {
    current.read(words, ranked[r], options.order);
    for (uint8_t k = piece.shape[r].shared; k < piece.shape[r].depth; ++k) piece.added.push_back(current.words[k]);
  }
  return piece;
}

NgramOrder merge(std::vector<Piece> pieces, size_t size, ArrayMemory* memory, Monitor& monitor) {
  NgramOrder sorted(memory);
  sorted.shape.reserve(size);
  sorted.next_word.reserve(size);
  // A heap with the piece that comes next in front.
  auto later = [&](size_t a, size_t b) {
    const auto order = pieces[a].ending <=> pieces[b].ending;
    return order != 0 ? order > 0 : a > b;
  };
  std::vector<size_t> heap;
  for (size_t i = 0; i < pieces.size(); ++i)
    if (pieces[i].load()) heap.push_back(i);
  std::make_heap(heap.begin(), heap.end(), later);
  Ending previous;
  while (!heap.empty()) {
    if (sorted.shape.size() % (1 << 18) == 0) monitor.poll();
    std::pop_heap(heap.begin(), heap.end(), later);
    Piece& piece = pieces[heap.back()];
    sorted.shape.push_back(shape_of(piece.ending, previous));
    sorted.next_word.push_back(piece.next_word[piece.rank]);
    previous = piece.ending;
    ++piece.rank;
    if (piece.load()) {
      std::push_heap(heap.begin(), heap.end(), later);
    } else {
      heap.pop_back();
    }
  }
  return sorted;
}

}  // namespace

NgramOrder sort_ngrams(Array<WordId> text, const SortOptions& given, Monitor& monitor) {
  SortOptions options = given;
  if (options.threads == 0) options.threads = default_threads();
  const size_t size = text.size();
  if (options.piece_size == 0 || size <= options.piece_size) return sort_whole(std::move(text), options, monitor);
  ArrayMemory* const memory = text.get_allocator().resource();
  std::vector<Piece> pieces;
  for (size_t begin = 0; begin < size;) {
    size_t end = std::min(size, begin + options.piece_size);
    while (end < size && text[end] != sentence_begin) ++end;
    pieces.push_back(sort_piece(std::span(text).subspan(begin, end - begin), options, memory, monitor));
    begin = end;
  }
  std::vector<uint32_t> word_begin = count_words(text, options.vocabulary_size);
  text = Array<WordId>(memory);
  text.shrink_to_fit();
  NgramOrder sorted = merge(std::move(pieces), size, memory, monitor);
  sorted.word_begin = std::move(word_begin);
  return sorted;
}

}  // namespace dragoman::lm
