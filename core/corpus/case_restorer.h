// From model tokens back to written ones, and from written ones to truecased ones.
//
// Restoring: every target word takes its type's commonest form. A word that begins a sentence, of the output or after a
// full stop inside it, gets a capital if the source sentence begins with one (or has no case to go by). A word linked
// only to source words in capitals is put in capitals, and so is the whole output of a source all in capitals: but a
// source word that is always written in capitals (NATO, where the source's own table is given), a Roman numeral or a
// single letter is no evidence of that. A target word the model does not know was passed through and takes the source
// token's surface exactly; so does a word written alike in both languages that is a name here and small elsewhere
// (`Bush`), which the source's table tells. Where such words are the names of things (`Choose Tools - Options.`), the
// translation of each run of them begins with a capital too, if the target text has such capitals at least half as
// often as the source text: Czech manuals have them, French debates do not. Direct speech after a colon and a quotation
// mark begins as it does in the source; where the source has none, and after a colon alone, as the target language
// usually does. Title Case Of A Heading is not copied: only English uses it, and the other languages' headings are
// written like sentences.
//
// Truecasing: the first word of each sentence takes its commonest form, every word of a line all in capitals does, and
// all else stays as written; words never seen stay too.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/casing.h"

namespace dragoman {

using Tokens = std::span<const std::string_view>;
struct CaseLink {
  uint32_t source;
  uint32_t target;
};

class CaseRestorer {
 public:
  // Both must outlive the restorer; the source's table may be missing.
  // `capitals_name`: a capital inside a sentence makes a name in both languages, which it does not in German.
  explicit CaseRestorer(const Casing& target, const Casing* source = nullptr, bool capitals_name = true)
      : target_(target), source_(source), capitals_name_(capitals_name) {}

  // One written token per target token, marks kept. Links outside the sentences are passed over.
  std::vector<std::string> restore(Tokens target, std::span<const CaseLink> links, Tokens source) const;

 private:
  struct SourceCase {
    bool all_upper = false;
    bool begins_upper = true;
    std::vector<bool> shouted;         // in capitals for emphasis
    std::vector<bool> has_case;        // has letters with case
    std::vector<bool> name;            // a capital inside the sentence on a word usually written small
    std::vector<bool> capital;         // a capital inside the sentence
    bool heading = false;              // most words have one, and no full stop ends it
    std::optional<bool> speech_upper;  // after a colon and a quotation mark the source has a capital
  };
  SourceCase read(Tokens source) const;
  // Target words that begin the translation of a name.
  std::vector<bool> names(const SourceCase& read, std::span<const CaseLink> links, Tokens target) const;

  const Casing& target_;
  const Casing* source_;
  bool capitals_name_;
};

std::vector<std::string> truecase(const Casing& casing, Tokens tokens);

}  // namespace dragoman
