// What a language model is to say of a word that people have taught since the model was trained, and that it therefore
// does not know: what it says of an average word of the training text. Its own score of an unknown word would keep
// nearly every correction with a new word from being used, and no score at all would make new words better than known
// ones.
#pragma once

#include "decode/language_model.h"
#include "extract/index.h"

namespace dragoman::decode {

// What makes an average word's score of an unknown word's, in log10; 0 if the bitext is empty. Scores some sentences at
// the front of the bitext, which lie in random order, and an unknown word in the middle of each.
double learned_bonus(const LanguageModel& model, const Index& index);

}  // namespace dragoman::decode
