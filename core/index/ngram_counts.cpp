#include "index/ngram_counts.h"

namespace dragoman::index {

void NgramCounts::add(std::span<const WordId> sentence) {
  // Of place 0 and the one behind the last word: the boundary.
  const auto at = [&](size_t place) { return place == 0 || place > sentence.size() ? boundary : sentence[place - 1]; };
  for (size_t last = 1; last <= sentence.size() + 1; ++last) {
    NgramKey ngram;
    for (size_t length = 1; length <= order && length <= last + 1; ++length) {
      ngram = ngram.after(at(last + 1 - length));
      uint32_t& counted = counts_[ngram.hash()];
      counted = counted == FlatMap::absent ? 1 : counted + 1;
    }
  }
  words_ += sentence.size() + 1;
}

}  // namespace dragoman::index
