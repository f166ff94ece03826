// What a language does to words and spaces, as data: which short words lose their vowel before an apostrophe, which
// clitics hang on a word, which abbreviations keep their period, and which punctuation stands apart. A new language
// is a new row of the table in language.cpp; a language without a row follows general rules that suit any script.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/hash.h"
#include "base/namespaces.h"

namespace dragoman::text {

// `pt` of pt-BR, pt_BR and PT.
std::string base_language(std::string_view code);

// Whether a list of codes, separated by spaces, has this one.
bool is_listed(std::string_view list, std::string_view code);

// Whether 27. is one token: in German before any word (27. Oktober), in Czech before one in lower case (27. října).
enum class OrdinalDots : uint8_t { never, before_lower_case, before_words };

// What stands between words and between sentences. Languages that are not listed in language.cpp are spaced.
enum class Writing : uint8_t {
  spaced,      // spaces between words
  korean,      // the same, but words of other scripts are written together with it
  chinese,     // no spaces, neither between words nor between sentences
  japanese,    // the same
  continuous,  // no spaces between words, but between sentences: Thai, Lao, Khmer, Burmese, Tibetan
};

// What a language puts between the parts of a compound, and what a part loses there; endings separated by spaces.
struct CompoundHabits {
  std::string_view links = {};  // s, es, en: Regierung-s-erklärung
  std::string_view drops = {};  // e, en: Schul(e)-hof
};

// A row of the table. Lists are separated by spaces, in lower case, with a straight apostrophe.
struct LanguageRow {
  std::string_view code;
  std::string_view elisions = {};            // l' of l'homme: joined to what follows
  std::string_view clitics = {};             // 's of it's, n't of don't: joined to what precedes
  std::string_view enclitics = {};           // -il of a-t-il, -li of chcete-li: joined to what precedes
  std::string_view whole_words = {};         // words that hold an apostrophe or a hyphen and stay whole
  std::string_view abbreviations = {};       // keep a following period
  std::string_view number_words = {};        // keep a following period before a number only: No. 5
  std::string_view spaced_punctuation = {};  // written after a space: French ? ! ; :
  bool spaced_guillemets = false;            // « mot » rather than «mot»
  bool reversed_guillemets = false;          // »Wort« as well as «Wort»
  OrdinalDots ordinal_dots = OrdinalDots::never;
  CompoundHabits compounds = {};
  bool capital_nouns = false;  // all nouns are written with a capital, not names alone
};

class Language {
 public:
  enum : uint8_t { elision = 1, clitic = 2, enclitic = 4, whole_word = 8, abbreviation = 16, number_word = 32 };

  // The rules for a language code such as fr, fr-CA or pt_BR; general ones where there is no row for it. Throws
  // ConfigError for what cannot be a language code.
  explicit Language(std::string_view code);

  const std::string& code() const { return code_; }
  OrdinalDots ordinal_dots() const { return row_->ordinal_dots; }
  bool spaced_guillemets() const { return row_->spaced_guillemets; }
  bool reversed_guillemets() const { return row_->reversed_guillemets; }
  bool is_spaced_punctuation(std::string_view text) const;
  // Whether words of other scripts are written together with ideographs, as Chinese, Japanese and Korean do.
  bool joins_ideographs() const { return writing_ != Writing::spaced && writing_ != Writing::continuous; }
  Writing writing() const { return writing_; }
  bool spaces_words() const { return writing_ == Writing::spaced || writing_ == Writing::korean; }
  bool spaces_sentences() const { return writing_ != Writing::chinese && writing_ != Writing::japanese; }
  // Whether katakana that stand together are one word, as in Japanese; ja-x-kana has a word for each, which models of
  // earlier versions were made of.
  bool has_katakana_words() const { return katakana_words_; }
  bool has_enclitics() const { return !row_->enclitics.empty(); }
  const CompoundHabits& compounds() const { return row_->compounds; }
  bool capitalises_nouns() const { return row_->capital_nouns; }
  bool has_elisions() const { return !row_->elisions.empty(); }

  // What a lower-cased word with straight apostrophes can be; 0 for an ordinary word.
  uint8_t roles(std::string_view word) const {
    const auto entry = roles_.find(word);
    return entry == roles_.end() ? uint8_t{0} : entry->second;
  }

 private:
  std::string code_;
  const LanguageRow* row_;
  Writing writing_;
  bool katakana_words_;
  std::unordered_map<std::string, uint8_t, StringHash, std::equal_to<>> roles_;
};

}  // namespace dragoman::text
