#include "search/document_memory.h"

#include <algorithm>

#include "base/hash.h"
#include "base/utf8.h"

namespace dragoman::search {
namespace {

std::string_view beginning_of(std::string_view word, uint32_t characters) {
  size_t end = 0;
  for (; characters > 0 && end < word.size(); --characters) end += decode_utf8(word, end).bytes;
  return word.substr(0, end);
}

}  // namespace

uint64_t DocumentMemory::part(WordId word) const {
  // Words that only the sentence at hand has are none of the target's.
  if (is_common(word) || word >= target_.size()) return 0;
  return hash_bytes(beginning_of(target_.word(word), beginning)) | 1;
}

template <class WordAt>
uint64_t DocumentMemory::choice(std::span<const Link> links, uint32_t source, WordAt&& word_at) const {
  uint64_t words = 0;
  for (const Link& link : links)
    if (link.source == source)
      if (const uint64_t hash = part(word_at(link.target))) words = mix(words ^ hash);
  return words;
}

void DocumentMemory::add(const TrainingPair& pair) {
  std::vector<WordId> target;
  for (const std::string& word : pair.target) target.push_back(target_.find(word));
  for (uint32_t at = 0; at < pair.source.size(); ++at) {
    const WordId word = source_.find(pair.source[at]);
    if (is_common(word)) continue;
    const uint64_t words = choice(pair.links, at, [&](uint32_t place) { return target[place]; });
    if (words == 0) continue;
    std::vector<Choice>& before = choices_[word];
    const auto same = std::ranges::find(before, words, &Choice::words);
    if (same != before.end())
      ++same->times;
    else
      before.push_back({words, 1});
  }
}

float DocumentMemory::agreement(const Rule& rule) const {
  float total = 0;
  for (uint32_t at = 0; at < rule.source.size(); ++at) {
    if (is_gap(rule.source[at])) continue;
    const auto entry = choices_.find(word_of(rule.source[at]));
    if (entry == choices_.end()) continue;
    const uint64_t words = choice(rule.links, at, [&](uint32_t place) { return word_of(rule.target[place]); });
    uint32_t times = 0, all = 0;
    for (const Choice& earlier : entry->second) {
      all += earlier.times;
      if (earlier.words == words) times = earlier.times;
    }
    total += static_cast<float>(times) / static_cast<float>(all);
  }
  return total;
}

}  // namespace dragoman::search
