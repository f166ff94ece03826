#include "align/bitext.h"

#include "text/lines.h"

namespace dragoman::align {

std::vector<uint32_t> Side::frequencies() const {
  std::vector<uint32_t> counts(vocabulary.size());
  for (WordId word : words) ++counts[word];
  return counts;
}

Side read_side(const IdText& text, ArrayMemory* memory) {
  Side side(memory);
  side.vocabulary = text.words();
  side.words.reserve(text.tokens());
  side.begins.reserve(text.sentences() + 1);
  std::vector<WordId> words;
  for (uint64_t n = 0; n < text.sentences(); ++n) {
    text.read(n, words);
    side.words.insert(side.words.end(), words.begin(), words.end());
    side.begins.push_back(side.words.size());
  }
  return side;
}

Bitext read_bitext(const IdText& source, const IdText& target, ArrayMemory* memory) {
  require_equal_lines(source.sentences(), target.sentences());
  return {read_side(source, memory), read_side(target, memory)};
}

}  // namespace dragoman::align
