// Fragments as a TaughtModel scores them; see there, and lm/state.h for those of a back-off model.
#pragma once

#include "lm/taught_model.h"

namespace dragoman::lm {

// The first words of a fragment, whose scores may change when the context before them becomes known: by number, in a
// list of words that whoever scores has.
struct TaughtLeft {
  uint32_t length = 0;
  // Whether no word behind these depends on what comes before the fragment.
  uint32_t full = 0;
  float log10_prob = 0;  // of these words, as long as nothing is known of what comes before them
  uint32_t words[max_order - 1] = {};

  static constexpr size_t bytes(uint32_t order) { return 3 * sizeof(uint32_t) + (order - 1) * sizeof(uint32_t); }
};
static_assert(sizeof(TaughtLeft) == TaughtLeft::bytes(max_order));

struct TaughtFragment {
  TaughtLeft left;
  TaughtState right;
  float log10_prob = 0;
};

// Scores words and fragments from left to right, like FragmentScorer.
class TaughtScorer {
 public:
  TaughtScorer(const TaughtModel& model, std::span<const TaughtWord> words, const TaughtFragment& first = {})
      : model_(model), words_(words), all_(first) {}

  void begin_sentence();
  void add_word(uint32_t number);
  void add_fragment(const TaughtFragment& next);
  const TaughtFragment& fragment() const { return all_; }

 private:
  void note_left(uint32_t number, const TaughtModel::Score& score);

  const TaughtModel& model_;
  std::span<const TaughtWord> words_;
  TaughtFragment all_;
};

}  // namespace dragoman::lm
