#include "lm/ngram_trie.h"

#include <bit>

namespace dragoman::lm {

bool extends(float log10_backoff) {
  return std::bit_cast<uint32_t>(log10_backoff) != std::bit_cast<uint32_t>(no_extension);
}

uint64_t NgramTrie::ngrams() const {
  uint64_t sum = 0;
  for (const NgramLevel& level : levels) sum += level.size();
  // Id 0 has a slot among the unigrams and is no word.
  return sum == 0 ? 0 : sum - 1;
}

ArrayMemory* NgramTrie::memory() const {
  return levels.empty() ? std::pmr::get_default_resource() : levels[0].log10_prob.get_allocator().resource();
}

Array<uint32_t> NgramTrie::parents(size_t level) const {
  Array<uint32_t> parent_of(levels[level].size(), memory());
  const auto& first_child = levels[level - 1].first_child;
  for (uint32_t parent = 0; parent + 1 < first_child.size(); ++parent)
    for (uint32_t child = first_child[parent]; child < first_child[parent + 1]; ++child) parent_of[child] = parent;
  return parent_of;
}

Array<WordId> NgramTrie::first_words(size_t level, const Array<WordId>& of_shorter) const {
  Array<WordId> first(levels[level].size(), memory());
  for (size_t i = 0; i < first.size(); ++i) {
    if (level == 0) {
      first[i] = static_cast<WordId>(i);
    } else {
      first[i] = of_shorter[levels[level].context[i]];
    }
  }
  return first;
}

NgramTrie select(const NgramTrie& trie, const Kept& kept) {
  NgramTrie out;
  out.words = trie.words;
  out.classes = trie.classes;
  for (size_t k = 0; k < trie.levels.size(); ++k) out.levels.emplace_back(trie.memory());
  Array<uint32_t> moved(trie.memory());  // old index -> new index, of the level above
  for (size_t k = 0; k < trie.levels.size(); ++k) {
    const NgramLevel& from = trie.levels[k];
    NgramLevel& to = out.levels[k];
    Array<uint32_t> move(from.size(), trie.memory());
    uint32_t size = 0;
    for (size_t i = 0; i < from.size(); ++i) {
      move[i] = size;
      size += kept[k][i];
    }
    auto gather = [&](const auto& values, auto& into) {
      if (values.empty()) return;
      into.reserve(size);
      for (size_t i = 0; i < from.size(); ++i)
        if (kept[k][i]) into.push_back(values[i]);
    };
    gather(from.log10_prob, to.log10_prob);
    gather(from.log10_backoff, to.log10_backoff);
    gather(from.count, to.count);
    if (k > 0) {
      gather(from.context, to.context);
      for (uint32_t& context : to.context) context = moved[context];
      // The level above pointed to old children; its kept nodes point to where those begin now.
      NgramLevel& above = out.levels[k - 1];
      const auto& old_first = trie.levels[k - 1].first_child;
      above.first_child.reserve(above.size() + 1);
      for (size_t i = 0; i + 1 < old_first.size(); ++i)
        if (kept[k - 1][i]) above.first_child.push_back(old_first[i] < from.size() ? move[old_first[i]] : size);
      above.first_child.push_back(size);
    }
    moved = std::move(move);
  }
  return out;
}

}  // namespace dragoman::lm
