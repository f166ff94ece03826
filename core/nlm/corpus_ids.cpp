#include "nlm/corpus_ids.h"

#include <algorithm>

namespace dragoman::nlm {

CorpusIds limit_vocabulary(const lm::EncodedText& text, uint64_t max_words, uint64_t min_count) {
  CorpusIds made;
  std::vector<uint64_t> counts(text.words.size());
  for (WordId id : text.ids) ++counts[id];
  // Ids fall with frequency, so what is kept is a beginning of them.
  WordId size = first_real_word;
  while (size < counts.size() && counts[size] >= min_count && (max_words == 0 || size - first_real_word < max_words))
    made.words.emplace_back(text.words.word(size++));
  made.counts.assign(counts.begin(), counts.begin() + size);
  for (size_t id = size; id < counts.size(); ++id) made.counts[unknown_word] += counts[id];
  made.ids.reserve(text.ids.size());
  for (WordId id : text.ids) made.ids.push_back(static_cast<int32_t>(id < size ? id : unknown_word));
  return made;
}

}  // namespace dragoman::nlm
