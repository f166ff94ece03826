// What the sentence splitter knows of a language: which words lose their end to a full stop, whether a full stop makes
// ordinals, and which words, written with a capital, almost always begin a sentence. Words stand
// without their last full stop, separated by spaces; one written with a capital counts only with it (`Mar`, not `mar`).
// An unknown language gets what many languages share.
#pragma once

#include <string_view>

#include "base/namespaces.h"

namespace dragoman::text {

struct SentenceTable {
  std::string_view language = {};  // ISO 639-1; "" for the default
  // `27. Oktober`, `II. světová`: a number may be an ordinal rather than a sentence's end.
  bool ordinal_full_stop = false;
  // Every noun has a capital, so a capital after a full stop says little.
  bool capital_nouns = false;
  // Words without a vowel are ordinary words (`vlk`, `smrt`), so they are no sign of an abbreviation.
  bool syllabic_consonants = false;
  // `;` is a question mark.
  bool semicolon_asks = false;
  // Titles and the like: something of the same sentence always follows.
  std::string_view before_word = {};
  // Followed by a number when an abbreviation (`No. 5`); an ordinary word or a sentence's end otherwise.
  std::string_view before_number = {};
  // May stand anywhere, also at the end of a sentence; only a sentence starter after them makes a boundary.
  std::string_view anywhere = {};
  // Stand anywhere too, as the last part of a compound (`Hauptstr.`).
  std::string_view compound_ends = {};
  // Close a list or a name (`etc.`): a capital after them begins a sentence, save where every noun has one.
  std::string_view closing = {};
  // Function words: with a capital they begin a sentence.
  std::string_view starters = {};
};

// The language's table, by ISO 639-1 code (`pt-BR` is `pt`), or the default.
const SentenceTable& sentence_table(std::string_view language);

}  // namespace dragoman::text
