#include "nlm/output_layout.h"

#include <string>

#include "base/errors.h"

namespace dragoman::nlm {
namespace {

bool is_predicted(WordId word) { return word != no_word && word != sentence_begin; }

}  // namespace

OutputRows OutputRows::of(std::span<const int32_t> class_of_word, uint32_t classes) {
  OutputRows rows;
  rows.class_begin.assign(classes + 1, 0);
  rows.row_of_word.assign(class_of_word.size(), no_row);
  rows.class_of_word.assign(class_of_word.size(), no_row);
  for (WordId word = 0; word < class_of_word.size(); ++word) {
    if (!is_predicted(word)) continue;
    const int32_t of = class_of_word[word];
    if (of < 0 || static_cast<uint32_t>(of) >= classes)
      throw ConfigError("class_of_word", "word " + std::to_string(word) + " has class " + std::to_string(of) + " of " +
                                             std::to_string(classes));
    rows.class_of_word[word] = static_cast<uint32_t>(of);
    ++rows.class_begin[of + 1];
  }
  for (uint32_t class_ = 0; class_ < classes; ++class_) {
    if (rows.class_begin[class_ + 1] == 0)
      throw ConfigError("class_of_word",
                        "class " + std::to_string(class_) + " has no words; number classes without gaps");
    rows.class_begin[class_ + 1] += rows.class_begin[class_];
  }
  rows.words.resize(rows.class_begin[classes]);
  std::vector<uint32_t> next(rows.class_begin.begin(), rows.class_begin.end() - 1);
  for (WordId word = 0; word < class_of_word.size(); ++word)
    if (rows.class_of_word[word] != no_row) {
      rows.row_of_word[word] = next[rows.class_of_word[word]]++;
      rows.words[rows.row_of_word[word]] = word;
    }
  return rows;
}

OutputTree OutputTree::of(std::span<const int32_t> children, uint32_t words) {
  const auto count = static_cast<uint32_t>(children.size() / 2);
  auto bad = [](const std::string& what) { return ConfigError("node_children", what); };
  OutputTree tree;
  tree.word_parent.assign(words, no_row);
  tree.node_parent.assign(count, no_row);
  std::vector<uint32_t> number(count, no_row);
  if (count) {
    tree.nodes.push_back(0);
    number[0] = 0;
  }
  for (uint32_t at = 0; at < tree.nodes.size(); ++at)
    for (uint32_t side = 0; side < 2; ++side) {
      const int64_t child = children[size_t{tree.nodes[at]} * 2 + side];
      const uint32_t link = at * 2 + side;
      if (child >= 0) {
        if (child >= count || number[child] != no_row)
          throw bad("node " + std::to_string(child) + " does not exist or has two parents");
        number[child] = static_cast<uint32_t>(tree.nodes.size());
        tree.node_parent[number[child]] = link;
        tree.nodes.push_back(static_cast<uint32_t>(child));
      } else {
        const int64_t word = -1 - child;
        if (word >= words || !is_predicted(static_cast<WordId>(word)) || tree.word_parent[word] != no_row)
          throw bad("word " + std::to_string(word) + " is not to be predicted or has two parents");
        tree.word_parent[word] = link;
      }
    }
  if (tree.nodes.size() != count) throw bad("not every node is below the root");
  for (WordId word = 0; word < words; ++word)
    if (is_predicted(word) && tree.word_parent[word] == no_row)
      throw bad("word " + std::to_string(word) + " is not in the tree");
  return tree;
}

}  // namespace dragoman::nlm
