#include "search/ngram_adapter.h"

#include "base/flat_map.h"
#include "lm/taught_fragment.h"
#include "search/ngram_session.h"

namespace dragoman::search {
namespace {

// A model by itself.
class OwnScoring {
 public:
  using Left = lm::LeftState;
  using Right = lm::State;
  using Fragment = lm::Fragment;

  explicit OwnScoring(const lm::LanguageModel& model) : model_(model) {}

  size_t left_bytes() const { return Left::bytes(model_.order()); }
  size_t right_bytes() const { return Right::bytes(model_.order()); }
  lm::FragmentScorer after(const Fragment& first) const { return lm::FragmentScorer(model_, first); }

 private:
  const lm::LanguageModel& model_;
};

// A model with what was taught. Words go by numbers that they get when they first occur in the sentence's rules.
class TaughtScoring {
 public:
  using Left = lm::TaughtLeft;
  using Right = lm::TaughtState;
  using Fragment = lm::TaughtFragment;

  static constexpr uint32_t end = 0, stranger = 1;

  TaughtScoring(const lm::LanguageModel& model, const TaughtText& text)
      : model_(model, text),
        words_{model_.word(lm::TaughtModel::boundary, lm::sentence_end),
               model_.word(Vocabulary::unknown, lm::unknown_word)} {}

  size_t left_bytes() const { return Left::bytes(model_.order()); }
  size_t right_bytes() const { return Right::bytes(model_.own().order()); }
  lm::TaughtScorer after(const Fragment& first) const { return lm::TaughtScorer(model_, words_, first); }

  uint32_t number(WordId target, WordId own, double log10_bonus) {
    uint32_t& number = numbers_[target];
    if (number != FlatMap::absent) return number;
    const lm::TaughtWord word = model_.word(target, own, static_cast<float>(log10_bonus));
    // What neither part knows is one and the same to both.
    if (own == lm::unknown_word && log10_bonus == 0 && word.count == 0) return number = stranger;
    words_.push_back(word);
    return number = static_cast<uint32_t>(words_.size() - 1);
  }
  size_t bytes() const { return words_.size() * sizeof words_[0] + numbers_.bytes(); }

 private:
  lm::TaughtModel model_;
  std::vector<lm::TaughtWord> words_;
  FlatMap numbers_;  // by target word
};

class TaughtSession : public NgramSession<TaughtScoring> {
 public:
  using NgramSession::NgramSession;

  bool scores_learned_words() const override { return true; }
  uint32_t word_item(uint32_t target, uint32_t id, double log10_bonus) override {
    return scoring_.number(target, id, log10_bonus);
  }
  uint32_t end_item(uint32_t) const override { return TaughtScoring::end; }
  size_t bytes() const override { return NgramSession::bytes() + scoring_.bytes(); }
};

}  // namespace

std::unique_ptr<LanguageModelSession> NgramModel::begin(std::span<const std::string_view>) const {
  return std::make_unique<NgramSession<OwnScoring>>(OwnScoring(*model_));
}

std::unique_ptr<LanguageModelSession> NgramModel::begin_taught(std::span<const std::string_view> source,
                                                               const TaughtText& taught) const {
  if (taught.words() == 0) return begin(source);
  return std::make_unique<TaughtSession>(TaughtScoring(*model_, taught));
}

}  // namespace dragoman::search
