// From model tokens back to written ones, and from written ones to truecased ones.
//
// Restoring: every target word takes its type's usual form, in the case that the target's model chooses for it from the
// words around it and the source (case_features.h), from left to right. A word that begins a sentence, of the output or
// after a full stop inside it, gets a capital if the source sentence begins with one (or has no case to go by). A word
// linked only to source words in capitals is put in capitals, and so is the whole output of a source all in capitals:
// but a source word that is always written in capitals (NATO, where the source's own table is given), a Roman numeral
// or a single letter is no evidence of that. A target word the model does not know was passed through and takes the
// source token's surface exactly.
//
// Truecasing: the first word of each sentence takes its commonest form, every word of a line all in capitals does, and
// all else stays as written; words never seen stay too.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "text/case_context.h"
#include "text/casing.h"

namespace dragoman::text {

class CaseRestorer {
 public:
  // Both must outlive the restorer; the source's table may be missing.
  explicit CaseRestorer(const Casing& target, const Casing* source = nullptr) : target_(target), source_(source) {}

  // One written token per target token, marks kept. Links outside the sentences are passed over.
  std::vector<std::string> restore(Tokens target, std::span<const Link> links, Tokens source) const;

 private:
  const Casing& target_;
  const Casing* source_;
};

std::vector<std::string> truecase(const Casing& casing, Tokens tokens);

}  // namespace dragoman::text
