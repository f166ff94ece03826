#include "align/bitext.h"

#include <string>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "text/lines.h"

namespace dragoman::align {

std::vector<uint32_t> Side::frequencies() const {
  std::vector<uint32_t> counts(vocabulary.size());
  for (WordId word : words) ++counts[word];
  return counts;
}

Side read_side(std::string_view text, const Vocabulary& vocabulary) {
  Side side;
  side.vocabulary = vocabulary;
  for (std::string_view line : split_lines(text)) {
    for_each_word(line, [&](std::string_view word) { side.words.push_back(vocabulary.find(word)); });
    side.begins.push_back(side.words.size());
  }
  side.words.shrink_to_fit();
  return side;
}

void require_equal_lines(size_t source, size_t target) {
  if (source != target)
    throw InputError(0, "the source has " + std::to_string(source) + " lines and the target " + std::to_string(target) +
                            "; both need one sentence per line, in the same order");
}

Bitext read_bitext(std::string_view source, std::string_view target, size_t threads, Monitor& monitor) {
  const std::string_view texts[2] = {source, target};
  Bitext bitext;
  Side* const sides[2] = {&bitext.source, &bitext.target};
  for_each_shard(2, threads, monitor, [&](size_t which) {
    require_text(texts[which], 1);
    WordCounts counts;
    for (std::string_view line : split_lines(texts[which])) counts.count(line);
    *sides[which] = read_side(texts[which], Vocabulary::build(counts.take()));
  });
  require_equal_lines(bitext.source.size(), bitext.target.size());
  return bitext;
}

}  // namespace dragoman::align
