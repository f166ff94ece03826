#include "search/ngram_adapter.h"

#include <cstring>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "search/state_table.h"

namespace dragoman::search {
namespace {

// A fragment by the numbers of its states. The lowest bit of `left` says whether the left edge is closed.
struct Numbers {
  uint32_t left;
  uint32_t right;

  bool closed() const { return left & 1; }
};

// What comes of adding something on the right.
struct Answer {
  static constexpr uint64_t none = UINT64_MAX;

  uint64_t question = none;
  float log10_prob = 0;
  uint32_t left = 0;   // if the left edge was open
  uint32_t right = 0;  // if it is not that of the part that was added
};

// Answers by question, each in the one place it can have, from which a newer one drives it out.
class Answers {
 public:
  Answers() : slots_(first_slots) {}

  size_t bytes() const { return slots_.size() * sizeof(Answer); }
  Answer& at(uint64_t question) { return slots_[mix(question) & (slots_.size() - 1)]; }
  Answer& keep(const Answer& answer) {
    if (++kept_ > slots_.size() && slots_.size() < most_slots) {
      std::vector<Answer> old(slots_.size() * 2);
      old.swap(slots_);
      for (const Answer& each : old)
        if (each.question != Answer::none) at(each.question) = each;
    }
    return at(answer.question) = answer;
  }

 private:
  static constexpr size_t first_slots = size_t{1} << 11;
  static constexpr size_t most_slots = size_t{1} << 16;

  std::vector<Answer> slots_;
  size_t kept_ = 0;
};

class NgramSession : public LanguageModelSession {
 public:
  explicit NgramSession(const lm::LanguageModel& model)
      : model_(model),
        left_bytes_(lm::LeftState::bytes(model.order())),
        right_bytes_(lm::State::bytes(model.order())),
        lefts_(left_bytes_),
        rights_(right_bytes_) {
    empty_ = numbers(lm::Fragment{});
    lm::FragmentScorer sentence(model);
    sentence.begin_sentence();
    begin_ = numbers(sentence.fragment());
  }

  void begin_context(std::byte* state) override { std::memcpy(state, &begin_.right, sizeof begin_.right); }

  // Stretches of words become fragments of their own, so that a rule costs a question or two for each gap.
  size_t prepare(std::span<LmItem> items) override {
    size_t made = 0;
    for (size_t at = 0; at < items.size();) {
      if (items[at].word < 0) {
        items[made++] = items[at++];
        continue;
      }
      PreparedStretch stretch{empty_, 0};
      for (; at < items.size() && items[at].word >= 0; ++at)
        stretch.log10_prob += add_word(stretch.numbers, static_cast<WordId>(items[at].word));
      items[made++] = {first_stretch + static_cast<int32_t>(stretches_.size()), 0};
      stretches_.push_back(stretch);
    }
    return made;
  }

  double score_words(const std::byte* state, std::span<const LmItem> words, std::byte* next) override {
    Numbers now = begin_;
    std::memcpy(&now.right, state, sizeof now.right);
    double total = 0;
    for (const LmItem& item : words) total += add(now, item, nullptr);
    std::memcpy(next, &now.right, sizeof now.right);
    return total;
  }

  double score_fragment(std::span<const LmItem> items, const std::byte* const* children, bool sentence_begin,
                        std::byte* state) override {
    Numbers now = sentence_begin ? begin_ : empty_;
    double total = 0;
    for (const LmItem& item : items) total += add(now, item, children);
    std::memcpy(state, &now, sizeof now);
    return total;
  }

  size_t bytes() const override { return lefts_.bytes() + rights_.bytes() + answers_.bytes(); }

 private:
  // Words of a rule that stand side by side; items from first_stretch on are their numbers.
  struct PreparedStretch {
    Numbers numbers;
    double log10_prob;
  };
  static constexpr int32_t first_stretch = int32_t{1} << 30;

  double add(Numbers& now, const LmItem& item, const std::byte* const* children) {
    if (item.word >= first_stretch) {
      const PreparedStretch& stretch = stretches_[static_cast<size_t>(item.word - first_stretch)];
      return stretch.log10_prob + add_part(now, stretch.numbers);
    }
    if (item.word >= 0) return add_word(now, static_cast<WordId>(item.word));
    Numbers part;
    std::memcpy(&part, children[-1 - item.word], sizeof part);
    return add_part(now, part);
  }

  uint32_t left_number(const lm::LeftState& left) { return lefts_.add(&left) << 1 | left.full; }
  Numbers numbers(const lm::Fragment& fragment) { return {left_number(fragment.left), rights_.add(&fragment.right)}; }
  lm::Fragment fragment(const Numbers& numbers) const {
    lm::Fragment made;
    std::memcpy(&made.left, lefts_[numbers.left >> 1], left_bytes_);
    std::memcpy(&made.right, rights_[numbers.right], right_bytes_);
    return made;
  }

  // Adds a word (kind 0) or a fragment (kind 1) of this number. Afterwards the right state is `right`, if that is
  // known.
  template <class Add>
  double extend(Numbers& now, uint32_t kind, uint32_t what, std::optional<uint32_t> right, Add&& add) {
    const bool closed = now.closed();
    const uint64_t question =
        uint64_t{closed} << 63 | uint64_t{kind} << 62 | uint64_t{closed ? now.right : now.left >> 1} << 32 | what;
    Answer* answer = &answers_.at(question);
    if (answer->question != question) {
      lm::FragmentScorer scorer(model_, fragment(now));
      add(scorer);
      const lm::Fragment& made = scorer.fragment();
      answer = &answers_.keep({question, static_cast<float>(bounded(made.log10_prob)),
                               closed ? 0 : left_number(made.left), right ? 0 : rights_.add(&made.right)});
    }
    if (!closed) now.left = answer->left;
    now.right = right.value_or(answer->right);
    return double{answer->log10_prob};
  }

  double add_word(Numbers& now, WordId word) {
    return extend(now, 0, word, std::nullopt, [&](lm::FragmentScorer& scorer) { scorer.add_word(word); });
  }
  // A part whose left edge is closed keeps its right state; of one that is open, the left state says it all.
  double add_part(Numbers& now, const Numbers& part) {
    if (part.left == empty_.left) return 0;
    if (now.left == empty_.left) {
      now = part;
      return 0;
    }
    return extend(now, 1, part.left, part.closed() ? std::optional(part.right) : std::nullopt,
                  [&](lm::FragmentScorer& scorer) { scorer.add_fragment(fragment(part)); });
  }

  const lm::LanguageModel& model_;
  size_t left_bytes_, right_bytes_;
  StateTable lefts_, rights_;
  Numbers empty_, begin_;
  std::vector<PreparedStretch> stretches_;
  Answers answers_;
};

}  // namespace

std::unique_ptr<LanguageModelSession> NgramModel::begin(std::span<const std::string_view>) const {
  return std::make_unique<NgramSession>(*model_);
}

}  // namespace dragoman::search
