#include "nlm/output_layout.h"

#include <string>

#include "base/errors.h"

namespace dragoman::nlm {
namespace {

bool is_predicted(WordId word) { return word != no_word && word != sentence_begin; }

}  // namespace

OutputRows OutputRows::of(std::span<const int32_t> class_of_word, uint32_t classes) {
  OutputRows made;
  made.class_begin.assign(classes + 1, 0);
  made.row_of_word.assign(class_of_word.size(), no_row);
  made.class_of_word.assign(class_of_word.size(), no_row);
  for (WordId word = 0; word < class_of_word.size(); ++word) {
    if (!is_predicted(word)) continue;
    const int32_t of = class_of_word[word];
    if (of < 0 || static_cast<uint32_t>(of) >= classes)
      throw ConfigError("class_of_word", "word " + std::to_string(word) + " has class " + std::to_string(of) + " of " +
                                             std::to_string(classes));
    made.class_of_word[word] = static_cast<uint32_t>(of);
    ++made.class_begin[of + 1];
  }
  for (uint32_t each = 0; each < classes; ++each) {
    if (made.class_begin[each + 1] == 0)
      throw ConfigError("class_of_word",
                        "class " + std::to_string(each) + " has no words; number classes without gaps");
    made.class_begin[each + 1] += made.class_begin[each];
  }
  made.words.resize(made.class_begin[classes]);
  std::vector<uint32_t> next(made.class_begin.begin(), made.class_begin.end() - 1);
  for (WordId word = 0; word < class_of_word.size(); ++word)
    if (made.class_of_word[word] != no_row) {
      made.row_of_word[word] = next[made.class_of_word[word]]++;
      made.words[made.row_of_word[word]] = word;
    }
  return made;
}

OutputTree OutputTree::of(std::span<const int32_t> children, uint32_t words) {
  const auto count = static_cast<uint32_t>(children.size() / 2);
  auto bad = [](const std::string& what) { return ConfigError("node_children", what); };
  OutputTree made;
  made.word_parent.assign(words, no_row);
  made.node_parent.assign(count, no_row);
  std::vector<uint32_t> number(count, no_row);
  if (count) {
    made.nodes.push_back(0);
    number[0] = 0;
  }
  for (uint32_t at = 0; at < made.nodes.size(); ++at)
    for (uint32_t side = 0; side < 2; ++side) {
      const int64_t child = children[size_t{made.nodes[at]} * 2 + side];
      const uint32_t link = at * 2 + side;
      if (child >= 0) {
        if (child >= count || number[child] != no_row)
          throw bad("node " + std::to_string(child) + " does not exist or has two parents");
        number[child] = static_cast<uint32_t>(made.nodes.size());
        made.node_parent[number[child]] = link;
        made.nodes.push_back(static_cast<uint32_t>(child));
      } else {
        const int64_t word = -1 - child;
        if (word >= words || !is_predicted(static_cast<WordId>(word)) || made.word_parent[word] != no_row)
          throw bad("word " + std::to_string(word) + " is not to be predicted or has two parents");
        made.word_parent[word] = link;
      }
    }
  if (made.nodes.size() != count) throw bad("not every node is below the root");
  for (WordId word = 0; word < words; ++word)
    if (is_predicted(word) && made.word_parent[word] == no_row)
      throw bad("word " + std::to_string(word) + " is not in the tree");
  return made;
}

}  // namespace dragoman::nlm
