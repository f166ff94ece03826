#include "search/language_model.h"

#include <cstring>
#include <utility>

namespace dragoman::search {

WordwiseSession::WordwiseSession(uint32_t order, size_t context_bytes)
    : order_(order), context_bytes_(context_bytes), now_(context_bytes), then_(context_bytes) {}

size_t WordwiseSession::fragment_bytes(uint32_t order, size_t context_bytes) {
  return sizeof(Head) + (order - 1) * sizeof(Kept) + context_bytes;
}

double WordwiseSession::score_words(const std::byte* state, std::span<const LmItem> words, std::byte* next) {
  std::memcpy(now_.data(), state, context_bytes_);
  double total = 0;
  for (const LmItem& word : words) {
    total += score_word(now_.data(), word, then_.data());
    std::swap(now_, then_);
  }
  std::memcpy(next, now_.data(), context_bytes_);
  return bounded(total);
}

double WordwiseSession::score_fragment(std::span<const LmItem> items, const std::byte* const* children,
                                       bool sentence_begin, std::byte* state) {
  std::memset(state, 0, fragment_bytes(order_, context_bytes_));
  Head head{0, sentence_begin || order_ == 1};
  Kept* mine = kept(state);
  if (sentence_begin)
    begin_context(now_.data());
  else
    empty_context(now_.data());
  bool empty = !sentence_begin;
  double total = 0;
  auto add = [&](LmItem word, double before) {
    const double now = score_word(now_.data(), word, then_.data());
    std::swap(now_, then_);
    total += now - before;
    if (!head.closed) {
      mine[head.kept++] = {word, now};
      head.closed = head.kept == order_ - 1;
    }
  };
  for (const LmItem& item : items) {
    if (item.word >= 0) {
      add(item, 0);
    } else {
      const std::byte* child = children[-1 - item.word];
      Head theirs;
      std::memcpy(&theirs, child, sizeof theirs);
      if (empty) {
        // Nothing to the left of it: nothing changes.
        head = theirs;
        std::memcpy(mine, kept(child), theirs.kept * sizeof(Kept));
        std::memcpy(now_.data(), child + context_at(), context_bytes_);
      } else {
        for (uint32_t i = 0; i < theirs.kept; ++i) add(kept(child)[i].item, kept(child)[i].log10_prob);
        if (theirs.closed) std::memcpy(now_.data(), child + context_at(), context_bytes_);
        head.closed |= theirs.closed;
      }
    }
    empty = empty && item.word < 0 && head.kept == 0 && !head.closed;
  }
  std::memcpy(state, &head, sizeof head);
  std::memcpy(state + context_at(), now_.data(), context_bytes_);
  return bounded(total);
}

}  // namespace dragoman::search
