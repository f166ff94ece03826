// Fragments with an open left edge, as chart decoders need them (after Heafield's left and right states, 2011).
//
// While every word so far is part of an n-gram that reaches the left edge, more words there could lengthen that n-gram:
// such words are pending, and the trie node of each is kept. The first word that is not pending closes the left: its
// own n-gram is settled and so are all later ones, and what remains to be added for it, once the context is known, are
// the back-offs of contexts longer than the fragment's own.
#include "lm/language_model.h"

namespace dragoman::lm {

void FragmentScorer::begin_sentence() {
  all_ = {};
  all_.left.full = 1;
  all_.right = model_.begin_state();
}

void FragmentScorer::note_left(bool reaches_edge, const WordScore& score) {
  LeftState& left = all_.left;
  if (left.full) return;
  if (reaches_edge && score.ngram_length < model_.order() &&
      model_.kernels().extends_left(model_.view(), score.node, score.ngram_length)) {
    left.nodes[left.length++] = score.node;
  } else {
    left.full = 1;
  }
}

void FragmentScorer::add_word(WordId word) {
  State next;
  const WordScore score = model_.score(all_.right, word, next);
  all_.log10_prob += score.log10_prob;
  // Before the left is full, all words are pending, so their number is the fragment's length.
  note_left(score.ngram_length == all_.left.length + 1, score);
  all_.right = next;
}

void FragmentScorer::add_fragment(const Fragment& next) {
  if (next.left.length == 0 && !next.left.full) return;  // no words
  all_.log10_prob += next.log10_prob;
  const uint32_t our_words = all_.left.length;  // meaningful only while our left is open
  State context = all_.right;
  for (uint32_t i = 0; i < next.left.length; ++i) {
    // The context before this word has `i` words of the fragment, already counted, and then ours.
    State longer;
    WordScore score;
    all_.log10_prob += model_.kernels().extend_left(model_.view(), next.left.nodes[i], i + 1, context, longer, score);
    note_left(score.ngram_length == our_words + i + 1, score);
    context = longer;
  }
  if (next.left.full) {
    for (uint32_t k = next.left.length; k < context.length; ++k) all_.log10_prob += context.steps[k].log10_backoff;
    all_.left.full = 1;
    all_.right = next.right;
    return;
  }
  // Every word of the fragment was pending, so its right context may reach into ours.
  const uint32_t words = next.left.length;
  if (next.right.length < words || context.length <= words) {
    all_.right = next.right;
    return;
  }
  for (uint32_t k = 0; k < words; ++k) context.steps[k] = next.right.steps[k];
  all_.right = context;
}

}  // namespace dragoman::lm
