#include "nlm/word_trees.h"

#include <algorithm>
#include <array>
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

// Binary nodes over words, -1 - word each. A node is added after its children, the root last.
class Tree {
 public:
  int32_t add(int32_t first, int32_t second) {
    nodes_.push_back({first, second});
    return static_cast<int32_t>(nodes_.size()) - 1;
  }

  // Gives the root of Huffman's tree over these words, or the word if it is the only one.
  int32_t add_huffman(std::vector<WordId> words, std::span<const uint64_t> counts) {
    std::ranges::stable_sort(words, std::greater(), [&](WordId word) { return counts[word]; });
    // Rarest first: least weight, then the later in order of frequency, then nodes in order of making.
    using Item = std::tuple<uint64_t, uint64_t, int32_t>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    for (size_t i = 0; i < words.size(); ++i)
      queue.emplace(std::max<uint64_t>(counts[words[i]], 1), words.size() - i, -1 - static_cast<int32_t>(words[i]));
    for (uint64_t order = words.size() + 1; queue.size() > 1; ++order) {
      const auto [first_weight, first_order, first] = queue.top();
      queue.pop();
      const auto [second_weight, second_order, second] = queue.top();
      queue.pop();
      queue.emplace(first_weight + second_weight, order, add(second, first));
    }
    return std::get<2>(queue.top());
  }

  // Those of all nodes, two each, numbered from the root.
  std::vector<int32_t> children() const {
    const auto last = static_cast<int32_t>(nodes_.size()) - 1;
    std::vector<int32_t> flat;
    for (size_t i = nodes_.size(); i-- > 0;)
      for (int32_t child : nodes_[i]) flat.push_back(child < 0 ? child : last - child);
    return flat;
  }

 private:
  std::vector<std::array<int32_t, 2>> nodes_;
};

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
  Tree tree;
  tree.add_huffman(predicted(counts.size()), counts);
  return tree.children();
}

std::vector<int32_t> class_tree(std::span<const uint64_t> counts, const BrownHierarchy& hierarchy) {
  std::vector<std::vector<WordId>> words(hierarchy.classes);
  for (WordId word : predicted(counts.size())) words[hierarchy.class_of_word[word]].push_back(word);
  Tree tree;
  std::vector<int32_t> items;
  for (auto& of_class : words) items.push_back(tree.add_huffman(std::move(of_class), counts));
  for (const auto& [one, other] : hierarchy.merges) items.push_back(tree.add(items[one], items[other]));
  return tree.children();
}

}  // namespace dragoman::nlm
