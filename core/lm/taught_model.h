// A back-off model together with what people have taught since it was built: the n-grams of the target sentences of
// added pairs (index/taught_text.h).
//
// The probability of a word is a mixture of the model's own and of one that starts from it and goes through the taught
// n-grams, from single words to the longest context that was taught (as in Bayesian smoothing, MacKay and Peto 1995):
//   q(w | h) = (count(h w) + m(h) q(w | h without its first word)) / (count(h) + m(h)),  m(h) = spread * sqrt(count(h))
//   p(w | h) = (1 - share) p_model(w | h) + share q(w | h)
// How many different words follow a context grows about like the root of how often it was seen, and so does what is
// reserved for those that did not follow it yet. Only counts are needed, which add up and are taken away again exactly.
// A word that the model does not know has the probability that a rarer word has there, and its own counts.
//
// A mixture cannot be put right by adding back-offs, as core/lm/fragment.cpp does: the first words of a fragment whose
// left context is not known yet are kept, as far as either part would ask for more context, and scored again.
#pragma once

#include <cstdint>

#include "base/namespaces.h"
#include "index/taught_text.h"
#include "lm/language_model.h"

namespace dragoman::lm {

// A word as both parts know it.
struct TaughtWord {
  WordId target;      // in the vocabulary of the bitext, or unknown_word
  WordId own;         // in the model
  float log10_bonus;  // what makes an unknown word's score a rarer word's
  uint32_t count;     // how often it was taught
};

// What a context does to the probability of a word that followed it so often: count * unit + kept * what it was.
struct TaughtContext {
  float unit;
  float kept;
};

// The context to the right, plain bytes: the longest last words that were taught, and the state of the model. Step k
// belongs to the last k + 1 words; what lies beyond a length is zero.
struct TaughtState {
  struct Step {
    WordId word;  // the first of them
    TaughtContext context;
  };
  uint32_t length = 0;
  Step steps[index::NgramCounts::order - 1] = {};
  State own;

  static constexpr size_t bytes(uint32_t order) { return sizeof(TaughtState) - sizeof(State) + State::bytes(order); }
};
static_assert(sizeof(TaughtState) == TaughtState::bytes(max_order));

class TaughtModel {
 public:
  // Both must stay.
  TaughtModel(const LanguageModel& model, const index::TaughtText& text);

  const LanguageModel& own() const { return model_; }
  // Words of context that either part may ask for, and one.
  uint32_t order() const { return order_; }
  const TaughtState& begin_state() const { return begin_; }
  // The word of the bitext with what it is in the model.
  TaughtWord word(WordId target, WordId own, float log10_bonus = 0) const;

  struct Score {
    float log10_prob;
    WordScore own;
  };
  Score score(const TaughtState& in, const TaughtWord& word, TaughtState& out) const;

  static constexpr WordId boundary = index::NgramCounts::boundary;

 private:
  const LanguageModel& model_;
  const index::TaughtText& text_;
  const TaughtContext nothing_;  // of no words
  const uint32_t order_;
  TaughtState begin_;
};

}  // namespace dragoman::lm
