#include "decode/ngram_model.h"

#include <cstring>

namespace dragoman::decode {
namespace {

class Session : public LanguageModelSession {
 public:
  explicit Session(const lm::LanguageModel& model)
      : model_(model),
        left_bytes_(lm::LeftState::bytes(model.order())),
        right_bytes_(lm::State::bytes(model.order())) {}

  void begin_context(std::byte* state) override { std::memcpy(state, &model_.begin_state(), right_bytes_); }

  double score_words(const std::byte* state, std::span<const LmItem> words, std::byte* next) override {
    lm::State states[2];
    std::memcpy(&states[0], state, right_bytes_);
    double total = 0;
    uint32_t now = 0;
    for (const LmItem& word : words) {
      total += double{model_.score(states[now], static_cast<WordId>(word.word), states[1 - now]).log10_prob};
      now = 1 - now;
    }
    std::memcpy(next, &states[now], right_bytes_);
    return total;
  }

  double score_fragment(std::span<const LmItem> items, const std::byte* const* children, bool sentence_begin,
                        std::byte* state) override {
    lm::FragmentScorer scorer(model_);
    if (sentence_begin) scorer.begin_sentence();
    for (const LmItem& item : items) {
      if (item.word >= 0) {
        scorer.add_word(static_cast<WordId>(item.word));
        continue;
      }
      // Without its own score, so that what comes out is the difference.
      const std::byte* child = children[-1 - item.word];
      lm::Fragment fragment;
      std::memcpy(&fragment.left, child, left_bytes_);
      std::memcpy(&fragment.right, child + left_bytes_, right_bytes_);
      scorer.add_fragment(fragment);
    }
    const lm::Fragment& made = scorer.fragment();
    std::memcpy(state, &made.left, left_bytes_);
    std::memcpy(state + left_bytes_, &made.right, right_bytes_);
    return double{made.log10_prob};
  }

 private:
  const lm::LanguageModel& model_;
  size_t left_bytes_, right_bytes_;
};

}  // namespace

std::unique_ptr<LanguageModelSession> NgramModel::begin(std::span<const std::string_view>) const {
  return std::make_unique<Session>(*model_);
}

}  // namespace dragoman::decode
