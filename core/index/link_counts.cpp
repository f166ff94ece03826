#include "index/link_counts.h"

#include <vector>

namespace dragoman::index {

void LinkCounts::count(WordId source, WordId target, uint32_t times) {
  for (const uint64_t place : {key(source, target), key(source, all), key(all, target)}) {
    uint32_t& counted = counts_[place];
    counted = counted == FlatMap::absent ? times : counted + times;
  }
}

void LinkCounts::add(std::span<const WordId> source, std::span<const WordId> target, std::span<const Link> links,
                     uint32_t times) {
  std::vector<bool> source_linked(source.size(), false), target_linked(target.size(), false);
  for (const Link& link : links) {
    count(source[link.source], target[link.target], times);
    source_linked[link.source] = target_linked[link.target] = true;
  }
  for (size_t i = 0; i < source.size(); ++i)
    if (!source_linked[i]) count(source[i], Lexicon::null_word, times);
  for (size_t i = 0; i < target.size(); ++i)
    if (!target_linked[i]) count(Lexicon::null_word, target[i], times);
}

}  // namespace dragoman::index
