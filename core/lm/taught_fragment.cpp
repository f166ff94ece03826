#include "lm/taught_fragment.h"

namespace dragoman::lm {

void TaughtScorer::begin_sentence() {
  all_ = {};
  all_.left.full = 1;
  all_.right = model_.begin_state();
}

void TaughtScorer::note_left(uint32_t number, const TaughtModel::Score& score) {
  TaughtLeft& left = all_.left;
  if (left.full) return;
  left.words[left.length++] = number;
  left.log10_prob += score.log10_prob;
  // So far all words are kept, so their number is the fragment's length. The left stays open while one of the parts
  // could know of a longer context that ends in all of them.
  const LanguageModel& own = model_.own();
  const bool own_reaches = score.own.ngram_length == left.length && left.length < own.order() &&
                           own.kernels().extends_left(own.view(), score.own.node, left.length);
  const bool taught_reaches = all_.right.length == left.length && left.length < index::NgramCounts::order - 1;
  if ((!own_reaches && !taught_reaches) || left.length == model_.order() - 1) left.full = 1;
}

void TaughtScorer::add_word(uint32_t number) {
  TaughtState next;
  const TaughtModel::Score score = model_.score(all_.right, words_[number], next);
  all_.log10_prob += score.log10_prob;
  all_.right = next;
  note_left(number, score);
}

void TaughtScorer::add_fragment(const TaughtFragment& next) {
  all_.log10_prob += next.log10_prob - next.left.log10_prob;
  for (uint32_t i = 0; i < next.left.length; ++i) add_word(next.left.words[i]);
  if (!next.left.full) return;
  all_.left.full = 1;
  all_.right = next.right;
}

}  // namespace dragoman::lm
