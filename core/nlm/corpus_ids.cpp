#include "nlm/corpus_ids.h"

#include <algorithm>

#include "nlm/affiliation.h"
#include "text/lines.h"

namespace dragoman::nlm {

CorpusIds limit_vocabulary(lm::EncodedText text, uint64_t max_words, uint64_t min_count) {
  CorpusIds corpus{{}, {}, std::move(text.ids), std::move(text.scratch)};
  std::vector<uint64_t> counts(text.words.size());
  for (WordId id : corpus.ids) ++counts[id];
  // Ids fall with frequency, so what is kept is a beginning of them.
  WordId size = first_real_word;
  while (size < counts.size() && counts[size] >= min_count && (max_words == 0 || size - first_real_word < max_words))
    corpus.words.emplace_back(text.words.word(size++));
  corpus.counts.assign(counts.begin(), counts.begin() + size);
  for (size_t id = size; id < counts.size(); ++id) corpus.counts[unknown_word] += counts[id];
  for (WordId& id : corpus.ids)
    if (id >= size) id = unknown_word;
  return corpus;
}

std::vector<int32_t> affiliations(const StoredLinks& links, const IdText& source, const IdText& target) {
  require_equal_lines(source.sentences(), target.sentences(), links.pairs());
  std::vector<int32_t> places;
  places.reserve(target.tokens());
  Links pair_links;
  for (uint64_t pair = 0; pair < links.pairs(); ++pair) {
    const uint64_t source_length = source.length(pair), target_length = target.length(pair);
    links.read(pair, source_length, target_length, pair_links);
    for (uint32_t place :
         affiliations(pair_links, static_cast<uint32_t>(source_length), static_cast<uint32_t>(target_length)))
      places.push_back(static_cast<int32_t>(place));
  }
  return places;
}

}  // namespace dragoman::nlm
