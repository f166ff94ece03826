#include "lm/arpa_writer.h"

#include <charconv>
#include <string>

#include "lm/marks.h"

namespace dragoman::lm {
namespace {

constexpr size_t piece_bytes = size_t{1} << 20;

void append(std::string& out, float value) {
  char digits[32];
  // Minus zero is a mark of ours; other programs may read meaning into it.
  auto [end, error] = std::to_chars(digits, digits + sizeof digits, value == 0 ? 0.0f : value);
  (void)error;
  out.append(digits, end);
}

// The word as the file has it: marks by their names, words of the text so that they cannot be taken for marks.
void append_name(std::string& out, const NgramTrie& trie, WordId word) {
  if (word < first_real_word)
    out += trie.words.word(word);
  else
    append_word(out, trie.words.word(word));
}

bool needs_escapes(const NgramTrie& trie) {
  for (WordId word = first_real_word; word < trie.words.size(); ++word)
    if (reads_as_mark(trie.words.word(word))) return true;
  return false;
}

}  // namespace

void write_arpa(const NgramTrie& trie, const std::function<void(std::string_view)>& sink, Monitor& monitor) {
  const size_t order = trie.levels.size();
  std::string out;
  if (needs_escapes(trie)) out.append(escapes_line).append("\n\n");
  out += "\\data\\\n";
  for (size_t k = 0; k < order; ++k) {
    const size_t skipped = k == 0 ? 1 : 0;  // id 0 is no word
    out += "ngram " + std::to_string(k + 1) + "=" + std::to_string(trie.levels[k].size() - skipped) + "\n";
  }
  Array<WordId> left(trie.memory());  // leftmost word of every node of this level
  for (size_t k = 0; k < order; ++k) {
    const NgramLevel& level = trie.levels[k];
    left = trie.first_words(k, left);
    out += "\n\\" + std::to_string(k + 1) + "-grams:\n";
    // The path from the root to the current node moves forward with it.
    std::vector<uint32_t> path(k + 1, 0);
    std::vector<WordId> words(k + 1);
    for (uint32_t i = k == 0 ? 1 : 0; i < level.size(); ++i) {
      path[k] = i;
      for (size_t above = k; above-- > 0;)
        while (trie.levels[above].first_child[path[above] + 1] <= path[above + 1]) ++path[above];
      // words[d] is what level d of the path adds on the left; the context's chain gives it.
      words[k] = left[i];
      for (size_t d = 0; d < k; ++d) {
        uint32_t node = path[d];
        for (size_t at = d; at > 0; --at) node = trie.levels[at].context[node];
        words[d] = node;
      }
      append(out, level.log10_prob[i]);
      for (size_t d = k + 1; d-- > 0;) {
        out += d == k ? '\t' : ' ';
        append_name(out, trie, words[d]);
      }
      if (k + 1 < order) {
        out += '\t';
        append(out, level.log10_backoff[i]);
      }
      out += '\n';
      if (out.size() >= piece_bytes) {
        sink(out);
        out.clear();
        monitor.poll();
      }
    }
  }
  out += "\n\\end\\\n";
  sink(out);
}

}  // namespace dragoman::lm
