// Taking a compound apart that is not known as a whole: Fahrradhelm is Fahrrad and Helm, Regierungserklärung is
// Regierung and Erklärung with an s between them, Dehnübung is dehnen without its ending. Of all ways, the one with the
// fewest parts and, of these, with the most frequent ones (Koehn and Knight 2003), by the ids of a vocabulary whose
// frequent words come first.
//
// A table by number of parts and place, filled from left to right: O(letters² · parts), and a look-up for each of
// letters² pieces and each linking element.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
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

  // The id of a word that may be a part, the last one or not; unknown if there is none.
  using FindPart = std::function<WordId(std::string_view word, bool is_last)>;

  explicit CompoundSplitter(CompoundHabits habits) : habits_(habits) {}

  // At least two parts that cover the word, or none.
  std::vector<CompoundPart> split(std::string_view word, const FindPart& find) const;

 private:
  WordId part(std::string_view piece, bool is_last, const FindPart& find) const;

  CompoundHabits habits_;
};

}  // namespace dragoman::text
