// Keeps numbers, quotation marks and brackets: a rule has the digits of its source on its target side, and as many
// marks and brackets, so that none is lost, changed or made up on the way. A short number before a word that it may
// count becomes a word where the text has it so more than twice, and a word a number, where the words are linked; but
// what goes on a number (the 000 of 10 000) is none by itself, and a number by itself gets no unit (100 is not 100m).
// And a word that stands alone between two numbers (80 à 120) is never left out, or the two would read as one. A sign
// becomes words only where the text has it so more than twice, and often: £ is not "fifty thousand" for having stood
// there once, and a hyphen is no article for standing before nouns in all languages.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "rules/rule.h"
#include "search/features.h"
#include "search/word_table.h"

namespace dragoman::search {

// How often a number has each digit, of whatever script, and whether a word is a quotation mark or a bracket, as counts
// that add up.
using Signature = uint64_t;
Signature signature_of(std::string_view word);

class RuleFilter {
 public:
  // Words of the model; those that are learned later are looked at when they come.
  RuleFilter(const Vocabulary& source, const Vocabulary& target);

  // For the rules of one sentence, whose words are these.
  class Bound {
   public:
    // `single_quotes`: the single marks of the sentence are quotation marks, so that rules may not make apostrophes of
    // them.
    Bound(const RuleFilter& filter, const WordTable& source, const WordTable& target, const FeatureSet& features,
          std::span<const WordId> sentence, bool single_quotes);

    Signature of_source(std::span<const Symbol> side) const { return sum(side, filter_.source_, source_); }
    // `source` is the signature of the rule's source side. What somebody corrected as a whole is right as it is.
    bool allows(const Rule& rule, Signature source) const;

   private:
    Signature sum(std::span<const Symbol> side, const std::vector<bool>& special, const WordTable& words) const;
    // Whether each number of a side is linked to something, and one of the source short enough to be spoken and linked
    // to more than a letter.
    bool all_linked(const Rule& rule, bool of_source) const;
    // Whether a target side has digits that only go on a number, and none before them.
    bool goes_on_nothing(std::span<const Symbol> target) const;
    // Whether a word between numbers, or between what may be numbers, is linked to nothing.
    bool leaves_out(const Rule& rule) const;
    // Whether both sides were seen together once or twice, as chance may have it.
    bool is_rare(const Rule& rule) const;
    // Whether a number by itself becomes one with letters.
    bool adds_unit(const Rule& rule) const;
    // Whether it makes words of a single sign on little evidence.
    bool guesses_sign(const Rule& rule) const;
    bool is_number(WordId source) const;
    // Whether it may be what a number before it counts: a word of more than a letter, which the model knows.
    bool is_counted(WordId source) const;
    bool stays_in_digits(std::span<const Symbol> source) const;

    const RuleFilter& filter_;
    const WordTable& source_;
    const WordTable& target_;
    FeatureId memory_, count_, share_;
    bool single_quotes_;
    std::vector<WordId> between_;    // words that stand alone between two numbers of the sentence
    std::vector<WordId> in_digits_;  // numbers of the sentence that count nothing: 3 %, x = 3
  };

 private:
  std::vector<bool> source_, target_;  // by id: whether a word of the model has a signature, or may have one
};

}  // namespace dragoman::search
