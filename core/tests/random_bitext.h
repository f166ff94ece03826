// Random sentence pairs for tests: the target is the source again, most words linked to their like or to a neighbour.
#pragma once

#include <algorithm>
#include <vector>

#include "base/link.h"
#include "index/bitext_builder.h"
#include "index/lexicon.h"
#include "text/vocabulary.h"

namespace dragoman::tests {

using namespace text;
using namespace index;

// In the order of samples, as an index wants them; `words` many different ones from the first on. Every fifth belongs
// to one of so many memories.
template <class Random>
void add_random_pairs(Random& random, uint64_t sentences, size_t words, size_t longest, index::BitextBuilder& bitext,
                      index::LexiconBuilder& lexicon, index::MemoryId memories = 0) {
  std::vector<uint64_t> order(sentences);
  for (uint64_t i = 0; i < sentences; ++i) order[i] = i;
  std::ranges::sort(order, {}, [](uint64_t id) { return index::sample_order(1, id); });
  for (uint64_t id : order) {
    std::vector<text::WordId> source(random() % (longest + 1));
    Links links;
    for (auto& word : source) word = text::Vocabulary::first_word + static_cast<text::WordId>(random() % words);
    for (uint32_t i = 0; i < source.size(); ++i)
      if (random() % 5)
        links.push_back({i, static_cast<uint32_t>(std::min<size_t>(i ^ (random() % 2), source.size() - 1))});
    bitext.add(id, source, source, links, memories > 0 && id % 5 == 0 ? 1 + static_cast<uint32_t>(id) % memories : 0);
    lexicon.add(source, source, links);
  }
  bitext.sort_suffixes();
}

}  // namespace dragoman::tests
