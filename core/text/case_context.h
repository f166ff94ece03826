// What a sentence and its source say about the case of its words: everything but the case of the words before. The same
// for learning (case_trainer.h) and for writing (case_restorer.h). Linear in the tokens and links.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/link.h"
#include "base/namespaces.h"
#include "text/case_model.h"
#include "text/case_places.h"
#include "text/casing.h"
#include "text/lines.h"

namespace dragoman::text {

// The case of a source word, as far as it is evidence.
enum class SourceCase : uint8_t {
  none,  // no word with case
  small,
  start,    // a capital that a sentence's start asks for
  capital,  // a capital inside the sentence
  name,     // the same on a word that is usually written small
  upper,
  mixed,
};

WordCase word_case(const TokenCase& shape);

// The tokens must outlive it.
class CaseContext {
 public:
  struct Word {
    BareToken token;
    TokenCase shape;
    WordId id = Vocabulary::unknown;
    uint64_t hash = 0;                 // of the word without its marks
    std::string form;                  // the usual one
    WordCase usual = WordCase::small;  // its case
    bool as_is = false;                // no letters, or none that may change: an address, a placeholder
    bool own_case = false;             // capitals of its own (iPhone, learned names), which only all capitals change
    std::optional<WordCase> fixed;     // what the place or the source asks for
    CasePosition place = CasePosition::inside;
    SourceCase linked = SourceCase::none;
    bool linked_differ = false;          // the source words that are linked have several cases
    SourceCase same = SourceCase::none;  // of a linked source word that is written alike
    std::string_view copied;             // that source word, if it is a name here and small elsewhere (Bush), or iPhone

    bool is_open() const { return !as_is && !own_case && !fixed && copied.empty(); }
  };

  // Target tokens in model form; the source as written, with its casing if there is one. Links outside the sentences
  // are passed over.
  CaseContext(const Casing& target_casing, const Casing* source_casing, Tokens target, std::span<const Link> links,
              Tokens source);

  const std::vector<Word>& words() const { return words_; }
  bool all_upper() const { return all_upper_; }
  bool is_sentence() const { return is_sentence_; }  // ends with a full stop or its like
  // Capitals inside the source, in thirds of its words: 0 if it has no words inside, else 1 to 4.
  uint32_t source_capitals() const { return source_capitals_; }

 private:
  struct SourceWord {
    SourceCase kind = SourceCase::none;
    bool shouted = false;  // in capitals for emphasis
  };
  std::vector<SourceWord> read_source(const Casing* casing, Tokens source);

  std::vector<Word> words_;
  bool all_upper_ = false;
  bool begins_upper_ = true;
  bool is_sentence_ = false;
  uint32_t source_capitals_ = 0;
};

}  // namespace dragoman::text
