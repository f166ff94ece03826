// Words that the model does not know, taken for words that it knows: the same but for accents, another form of it, or
// the parts of a compound. What is written like a name, an abbreviation or a code stays what it is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"
#include "text/accents.h"
#include "text/case_shape.h"
#include "text/casing.h"
#include "text/compounds.h"
#include "text/inflections.h"
#include "text/language.h"
#include "text/vocabulary.h"

namespace dragoman::text {

// A known word and the bytes of the unknown one that it stands for.
struct StandIn {
  TextSpan span;
  std::string_view word;
  bool capital = false;  // usually written with one
};

class UnknownWords {
 public:
  // The casing says how the vocabulary's words are usually written, and must outlive this; where there is none, they
  // are taken for words without a capital.
  UnknownWords(const Vocabulary& words, const Casing* casing, const Language& language)
      : casing_(casing),
        nouns_are_capital_(language.capitalises_nouns()),
        accents_(words),
        inflections_(words),
        compounds_(words, language.compounds()) {}

  // What is asked of a word of the vocabulary, or of one that extends it.
  using Ask = std::function<bool(WordId)>;

  // A word that differs by accents alone; "" if there is none.
  std::string_view without_accents(const Vocabulary& words, std::string_view word, const Ask& fits) const {
    return accents_.find(words, word, fits);
  }
  // One word, or the parts of a compound from left to right; nothing if there are none. `capital` is whether it is
  // written with one, where that says something: not at the beginning of a sentence, nor in a text all of one case.
  // Words that do not fit stand in for nothing; a name stands for other names as little, but what follows it in a
  // compound may be any word.
  std::vector<StandIn> find(const Vocabulary& words, std::string_view word, std::optional<bool> capital,
                            const Ask& fits, const Ask& is_name) const;

 private:
  TokenCase usual_case(const Vocabulary& words, WordId id) const;

  const Casing* casing_;
  bool nouns_are_capital_;
  AccentVariants accents_;
  Inflections inflections_;
  CompoundSplitter compounds_;
};

}  // namespace dragoman::text
