// Taking a compound apart that is not known as a whole: Fahrradhelm is Fahrrad and Helm, Regierungserklärung is
// Regierung and Erklärung with an s between them, Dehnübung is dehnen without its ending. Of all ways, the one with the
// fewest parts and, of these, with the most frequent ones (Koehn and Knight 2003), by the ids of a vocabulary whose
// frequent words come first.
//
// Not every language writes compounds as one word: where few long words of the vocabulary come apart, a word that does
// is a name or chance (Montblanc, hypermarché), and stays whole. In German every fourth long word comes apart, in
// English every tenth, in French and Czech fewer than every twentieth.
//
// A table by number of parts and place, filled from left to right: O(letters² · parts), and a look-up for each of
// letters² pieces and each linking element.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"
#include "text/language.h"
#include "text/vocabulary.h"

namespace dragoman::text {

struct CompoundPart {
  TextSpan span;  // bytes of the compound, with what links it to the next part
  WordId word;
};

class CompoundSplitter {
 public:
  static constexpr size_t most_parts = 4;
  static constexpr size_t least_letters = 3;
  static constexpr size_t most_letters = 60;
  // What shows that the language writes compounds as one word, where it is not listed as one that does: so many long
  // words of the most frequent ones, and one in so many, are two known words.
  static constexpr WordId words_counted = 20'000;
  static constexpr size_t long_word = 8, half_of_long = 4;  // letters
  static constexpr size_t enough_compounds = 20;
  static constexpr size_t one_in = 12;

  // The id of a word that may be a part, the last one or not; unknown if there is none.
  using FindPart = std::function<WordId(std::string_view word, bool is_last)>;

  CompoundSplitter(Vocabulary words, CompoundHabits habits) : words_(std::move(words)), habits_(habits) {}

  // At least two parts that cover the word, or none. Shared by threads; the first question counts the vocabulary.
  std::vector<CompoundPart> split(std::string_view word, const FindPart& find) const;

 private:
  WordId part(std::string_view piece, bool is_last, const FindPart& find) const;
  bool vocabulary_has_compounds() const;

  Vocabulary words_;
  CompoundHabits habits_;
  mutable std::once_flag counted_;
  mutable bool are_written_ = false;
};

}  // namespace dragoman::text
