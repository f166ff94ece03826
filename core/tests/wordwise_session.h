// Language models word by word: the plain way of scoring fragments.
#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "search/language_model.h"

namespace dragoman::search {

// Fragments for any model that can score a word in a context of at most `order` - 1 words: the first order - 1 words
// are kept and scored again when their context arrives. The plain way, against which what models do instead is checked.
class WordwiseSession : public LanguageModelSession {
 public:
  WordwiseSession(uint32_t order, size_t context_bytes);

  // The context of nothing, in which provisional scores are made.
  virtual void empty_context(std::byte* state) = 0;
  virtual double score_word(const std::byte* state, LmItem word, std::byte* next) = 0;

  double score_words(const std::byte* state, std::span<const LmItem> words, std::byte* next) override;
  double score_fragment(std::span<const LmItem> items, const std::byte* const* children, bool sentence_begin,
                        std::byte* state) override;

  static size_t fragment_bytes(uint32_t order, size_t context_bytes);

 private:
  struct Kept {
    LmItem item;
    double log10_prob;  // as scored provisionally
  };
  struct Head {
    uint32_t kept;
    uint32_t closed;  // the words kept are all that the left context matters to
  };
  Kept* kept(std::byte* state) const { return reinterpret_cast<Kept*>(state + sizeof(Head)); }
  const Kept* kept(const std::byte* state) const { return reinterpret_cast<const Kept*>(state + sizeof(Head)); }
  size_t context_at() const { return sizeof(Head) + (order_ - 1) * sizeof(Kept); }

  uint32_t order_;
  size_t context_bytes_;
  std::vector<std::byte> now_, then_;
};

inline WordwiseSession::WordwiseSession(uint32_t order, size_t context_bytes)
    : order_(order), context_bytes_(context_bytes), now_(context_bytes), then_(context_bytes) {}

inline size_t WordwiseSession::fragment_bytes(uint32_t order, size_t context_bytes) {
  return sizeof(Head) + (order - 1) * sizeof(Kept) + context_bytes;
}

inline double WordwiseSession::score_words(const std::byte* state, std::span<const LmItem> words, std::byte* next) {
  std::memcpy(now_.data(), state, context_bytes_);
  double total = 0;
  for (const LmItem& word : words) {
    total += score_word(now_.data(), word, then_.data());
    std::swap(now_, then_);
  }
  std::memcpy(next, now_.data(), context_bytes_);
  return bounded(total);
}

inline double WordwiseSession::score_fragment(std::span<const LmItem> items, const std::byte* const* children,
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
