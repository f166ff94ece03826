// What a language model is to say of a word that people have taught since the model was trained, and that it therefore
// does not know: what it says of a rarer word of the training text in its place. Its own score of an unknown word would
// keep corrections with new words from being used; that of an average word, mostly `the` and `of`, would put new words
// where they do not belong.
#pragma once

#include "base/namespaces.h"
#include "index/index.h"
#include "search/language_model.h"

namespace dragoman::search {

// What makes a rarer word's score of an unknown word's, in log10; 0 if the bitext is empty. Scores some sentences at
// the front of the bitext, which lie in random order, and an unknown word in the middle of each.
double learned_bonus(const LanguageModel& model, const Index& index);

}  // namespace dragoman::search
