// A session with a model of n-grams, with fragments that know what they are worth on either side: left and right states
// are minimised by the model, within a sentence each is kept once, and hypotheses carry its number.
//
// A search puts the same few contexts before the same few words and fragments over and over, so what comes of it is
// remembered. What a word or a fragment changes depends on the right state before it and on its own left state; while
// the left edge of what comes before is open, on that left state, which then names all its words. The right state that
// follows is that of the fragment, unless all of the fragment's words are still pending: then its left state names all
// its words too. So an answer is found by two numbers.
#pragma once

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/namespaces.h"
#include "search/language_model.h"
#include "search/state_table.h"
#include "text/vocabulary.h"

namespace dragoman::search {

// A fragment by the numbers of its states. The lowest bit of `left` says whether the left edge is closed.
struct FragmentNumbers {
  uint32_t left;
  uint32_t right;

  bool closed() const { return left & 1; }
};

// What comes of adding something on the right.
struct NgramAnswer {
  static constexpr uint64_t none = UINT64_MAX;

  uint64_t question = none;
  float log10_prob = 0;
  uint32_t left = 0;   // if the left edge was open
  uint32_t right = 0;  // if it is not that of the part that was added
};

// Answers by question, each in the one place it can have, from which a newer one drives it out.
class NgramAnswers {
 public:
  NgramAnswers() : slots_(first_slots) {}

  size_t bytes() const { return slots_.size() * sizeof(NgramAnswer); }
  NgramAnswer& at(uint64_t question) { return slots_[mix(question) & (slots_.size() - 1)]; }
  NgramAnswer& keep(const NgramAnswer& answer) {
    if (++kept_ > slots_.size() && slots_.size() < most_slots) {
      std::vector<NgramAnswer> old(slots_.size() * 2);
      old.swap(slots_);
      for (const NgramAnswer& old_answer : old)
        if (old_answer.question != NgramAnswer::none) at(old_answer.question) = old_answer;
    }
    return at(answer.question) = answer;
  }

 private:
  static constexpr size_t first_slots = size_t{1} << 11;
  static constexpr size_t most_slots = size_t{1} << 16;

  std::vector<NgramAnswer> slots_;
  size_t kept_ = 0;
};

// Scoring has Left, Right and Fragment, their sizes left_bytes() and right_bytes(), and after(fragment), which scores
// on from a fragment like lm::FragmentScorer.
template <class Scoring>
class NgramSession : public LanguageModelSession {
 public:
  explicit NgramSession(Scoring scoring)
      : scoring_(std::move(scoring)), lefts_(scoring_.left_bytes()), rights_(scoring_.right_bytes()) {
    empty_ = numbers(Fragment{});
    auto sentence = scoring_.after(Fragment{});
    sentence.begin_sentence();
    begin_ = numbers(sentence.fragment());
  }

  void begin_context(std::byte* state) override { std::memcpy(state, &begin_.right, sizeof begin_.right); }

  // Stretches of words become fragments of their own, so that a rule costs a question or two for each gap.
  size_t prepare(std::span<LmItem> items) override {
    size_t count = 0;
    for (size_t at = 0; at < items.size();) {
      if (items[at].word < 0) {
        items[count++] = items[at++];
        continue;
      }
      PreparedStretch stretch{empty_, 0};
      for (; at < items.size() && items[at].word >= 0; ++at)
        stretch.log10_prob += add_word(stretch.numbers, static_cast<WordId>(items[at].word));
      items[count++] = {first_stretch + static_cast<int32_t>(stretches_.size()), 0};
      stretches_.push_back(stretch);
    }
    return count;
  }

  double score_words(const std::byte* state, std::span<const LmItem> words, std::byte* next) override {
    FragmentNumbers now = begin_;
    std::memcpy(&now.right, state, sizeof now.right);
    double total = 0;
    for (const LmItem& item : words) total += add(now, item, nullptr);
    std::memcpy(next, &now.right, sizeof now.right);
    return total;
  }

  double score_fragment(std::span<const LmItem> items, const std::byte* const* children, bool sentence_begin,
                        std::byte* state) override {
    FragmentNumbers now = sentence_begin ? begin_ : empty_;
    double total = 0;
    for (const LmItem& item : items) total += add(now, item, children);
    std::memcpy(state, &now, sizeof now);
    return total;
  }

  size_t bytes() const override { return lefts_.bytes() + rights_.bytes() + answers_.bytes(); }

 protected:
  Scoring scoring_;

 private:
  using Fragment = Scoring::Fragment;
  using Left = Scoring::Left;
  using Right = Scoring::Right;

  // Words of a rule that stand side by side; items from first_stretch on are their numbers.
  struct PreparedStretch {
    FragmentNumbers numbers;
    double log10_prob;
  };
  static constexpr int32_t first_stretch = int32_t{1} << 30;

  double add(FragmentNumbers& now, const LmItem& item, const std::byte* const* children) {
    if (item.word >= first_stretch) {
      const PreparedStretch& stretch = stretches_[static_cast<size_t>(item.word - first_stretch)];
      return stretch.log10_prob + add_part(now, stretch.numbers);
    }
    if (item.word >= 0) return add_word(now, static_cast<WordId>(item.word));
    FragmentNumbers part;
    std::memcpy(&part, children[-1 - item.word], sizeof part);
    return add_part(now, part);
  }

  uint32_t left_number(const Left& left) { return lefts_.add(&left) << 1 | left.full; }
  FragmentNumbers numbers(const Fragment& fragment) {
    return {left_number(fragment.left), rights_.add(&fragment.right)};
  }
  Fragment fragment(const FragmentNumbers& numbers) const {
    Fragment part;
    std::memcpy(&part.left, lefts_[numbers.left >> 1], scoring_.left_bytes());
    std::memcpy(&part.right, rights_[numbers.right], scoring_.right_bytes());
    return part;
  }

  // Adds a word (kind 0) or a fragment (kind 1) of this number. Afterwards the right state is `right`, if that is
  // known.
  template <class Add>
  double extend(FragmentNumbers& now, uint32_t kind, uint32_t what, std::optional<uint32_t> right, Add&& add) {
    const bool closed = now.closed();
    const uint64_t question =
        uint64_t{closed} << 63 | uint64_t{kind} << 62 | uint64_t{closed ? now.right : now.left >> 1} << 32 | what;
    NgramAnswer* answer = &answers_.at(question);
    if (answer->question != question) {
      auto scorer = scoring_.after(fragment(now));
      add(scorer);
      const Fragment& extended = scorer.fragment();
      answer = &answers_.keep({question, static_cast<float>(bounded(extended.log10_prob)),
                               closed ? 0 : left_number(extended.left), right ? 0 : rights_.add(&extended.right)});
    }
    if (!closed) now.left = answer->left;
    now.right = right.value_or(answer->right);
    return double{answer->log10_prob};
  }

  double add_word(FragmentNumbers& now, WordId word) {
    return extend(now, 0, word, std::nullopt, [&](auto& scorer) { scorer.add_word(word); });
  }
  // A part whose left edge is closed keeps its right state; of one that is open, the left state says it all.
  double add_part(FragmentNumbers& now, const FragmentNumbers& part) {
    if (part.left == empty_.left) return 0;
    if (now.left == empty_.left) {
      now = part;
      return 0;
    }
    return extend(now, 1, part.left, part.closed() ? std::optional(part.right) : std::nullopt,
                  [&](auto& scorer) { scorer.add_fragment(fragment(part)); });
  }

  StateTable lefts_, rights_;
  FragmentNumbers empty_, begin_;
  std::vector<PreparedStretch> stretches_;
  NgramAnswers answers_;
};

}  // namespace dragoman::search
