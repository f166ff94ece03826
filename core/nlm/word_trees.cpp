#include "nlm/word_trees.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

#include "base/errors.h"

namespace dragoman::nlm {
namespace {

std::vector<WordId> predicted(size_t size) {
  if (size < first_real_word) throw ConfigError("counts", "must begin with those of the reserved words");
  std::vector<WordId> words;
  for (WordId word = unknown_word; word < size; ++word)
    if (word != sentence_begin) words.push_back(word);
  return words;
}

}  // namespace

std::vector<int32_t> frequency_classes(std::span<const uint64_t> counts, uint32_t classes) {
  if (classes < 1) throw ConfigError("classes", "must be at least 1");
  std::vector<WordId> words = predicted(counts.size());
  std::ranges::stable_sort(words, std::greater(), [&](WordId word) { return counts[word]; });
  classes = std::min(classes, static_cast<uint32_t>(words.size()));
  double left = 0;
  for (WordId word : words) left += static_cast<double>(counts[word]);
  std::vector<int32_t> class_of_word(counts.size(), -1);
  size_t at = 0;
  for (uint32_t of = 0; of < classes; ++of) {
    // Each class takes its share of what is left, and leaves at least one word for every later one.
    const double share = left / (classes - of);
    double mass = 0;
    const size_t last = words.size() - (classes - of - 1);
    do {
      class_of_word[words[at]] = static_cast<int32_t>(of);
      mass += static_cast<double>(counts[words[at]]);
      ++at;
    } while (at < last && (of + 1 == classes || mass + static_cast<double>(counts[words[at]]) / 2 <= share));
    left -= mass;
  }
  return class_of_word;
}

std::vector<int32_t> huffman_tree(std::span<const uint64_t> counts) {
  std::vector<WordId> words = predicted(counts.size());
  std::ranges::stable_sort(words, std::greater(), [&](WordId word) { return counts[word]; });
  // Rarest first: least weight, then the later in order of frequency, then nodes in order of making.
  using Item = std::tuple<uint64_t, uint64_t, int32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  for (size_t i = 0; i < words.size(); ++i)
    queue.emplace(std::max<uint64_t>(counts[words[i]], 1), words.size() - i, -1 - static_cast<int32_t>(words[i]));
  const auto nodes = static_cast<int32_t>(words.size()) - 1;
  std::vector<int32_t> children(static_cast<size_t>(nodes) * 2);
  // The last node that is made is the root, so it gets number 0.
  for (int32_t node = nodes; node-- > 0;) {
    const auto [first_weight, first_order, first] = queue.top();
    queue.pop();
    const auto [second_weight, second_order, second] = queue.top();
    queue.pop();
    children[static_cast<size_t>(node) * 2] = second;
    children[static_cast<size_t>(node) * 2 + 1] = first;
    queue.emplace(first_weight + second_weight, words.size() + static_cast<size_t>(nodes - node), node);
  }
  return children;
}

}  // namespace dragoman::nlm
