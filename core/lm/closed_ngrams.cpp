#include "lm/closed_ngrams.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/errors.h"
#include "base/hash.h"
#include "base/numbering.h"

namespace dragoman::lm {
namespace {

// Marks a probability that backing off must supply.
constexpr float missing = std::numeric_limits<float>::quiet_NaN();

// Finds n-grams of one list by their words, and adds those that are not there.
class NgramIndex {
 public:
  explicit NgramIndex(NgramList& list) : list_(list) {
    numbers_.reserve(list.size());
    for (size_t i = 0; i < list_.size(); ++i)
      if (!number(&list_.words[i * list_.length]).second)
        throw InputError(list_.line[i], "lists an n-gram that was listed before");
  }
  uint32_t find_or_add(const WordId* words) {
    const auto [place, is_new] = number(words);
    if (is_new) {
      // `words` points into another list, never into this one.
      list_.words.insert(list_.words.end(), words, words + list_.length);
      list_.log10_prob.push_back(missing);
      list_.log10_backoff.push_back(0);
    }
    return place;
  }

 private:
  std::pair<uint32_t, bool> number(const WordId* words) {
    return numbers_.add(hash_bytes(words, list_.length * sizeof(WordId)), [&](uint32_t known) {
      return std::equal(words, words + list_.length, &list_.words[size_t{known} * list_.length]);
    });
  }

  NgramList& list_;
  Numbering numbers_;
};

}  // namespace

NgramTrie close_ngrams(Vocabulary words, std::vector<NgramList> lists, Monitor& monitor) {
  const size_t order = lists.size();
  // For every n-gram the n-grams without its first and without its last word, as places in the list above.
  std::vector<std::vector<uint32_t>> suffix(order);
  std::vector<std::vector<uint32_t>> prefix(order);
  // From the longest down, because what is added needs its own prefix and suffix too.
  for (size_t k = order; k-- > 1;) {
    monitor.poll();
    const NgramList& list = lists[k];
    suffix[k].resize(list.size());
    prefix[k].resize(list.size());
    if (k == 1) {
      for (size_t i = 0; i < list.size(); ++i) {
        prefix[k][i] = list.words[i * 2];
        suffix[k][i] = list.words[i * 2 + 1];
      }
    } else {
      NgramIndex above(lists[k - 1]);
      for (size_t i = 0; i < list.size(); ++i) {
        prefix[k][i] = above.find_or_add(&list.words[i * list.length]);
        suffix[k][i] = above.find_or_add(&list.words[i * list.length + 1]);
      }
      if (lists[k - 1].size() >= UINT32_MAX) throw InputError(0, "the model has too many n-grams for this program");
    }
    if (k + 1 == order) NgramIndex check_duplicates(lists[k]);
  }

  NgramTrie trie;
  trie.words = std::move(words);
  trie.levels.resize(order);
  trie.levels[0].log10_prob = std::move(lists[0].log10_prob);
  if (order > 1) trie.levels[0].log10_backoff = std::move(lists[0].log10_backoff);
  std::vector<uint32_t> place(trie.levels[0].size());  // from the list above to the level above
  for (uint32_t i = 0; i < place.size(); ++i) place[i] = i;
  for (size_t k = 1; k < order; ++k) {
    monitor.poll();
    NgramLevel& above = trie.levels[k - 1];
    NgramLevel& level = trie.levels[k];
    const size_t size = lists[k].size();
    // Sorted by parent, then by context.
    std::vector<std::pair<uint64_t, uint32_t>> keys(size);
    for (uint32_t i = 0; i < size; ++i) keys[i] = {uint64_t{place[suffix[k][i]]} << 32 | place[prefix[k][i]], i};
    std::sort(keys.begin(), keys.end());
    std::vector<uint32_t> next_place(size);
    above.first_child.assign(above.size() + 1, 0);
    level.context.resize(size);
    level.log10_prob.resize(size);
    if (k + 1 < order) level.log10_backoff.resize(size);
    for (uint32_t i = 0; i < size; ++i) {
      const auto [key, listed] = keys[i];
      const auto parent = static_cast<uint32_t>(key >> 32);
      const auto context = static_cast<uint32_t>(key);
      next_place[listed] = i;
      ++above.first_child[parent + 1];
      level.context[i] = context;
      const float prob = lists[k].log10_prob[listed];
      level.log10_prob[i] = std::isnan(prob) ? above.log10_prob[parent] + above.log10_backoff[context] : prob;
      if (k + 1 < order) level.log10_backoff[i] = lists[k].log10_backoff[listed];
    }
    for (size_t i = 0; i < above.size(); ++i) above.first_child[i + 1] += above.first_child[i];
    place = std::move(next_place);
    lists[k] = {};
  }
  return trie;
}

}  // namespace dragoman::lm
