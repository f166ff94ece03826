// From the words of a hypothesis to text: case is restored, what was given or passed through comes out as it went in,
// and words are joined by the spacing of the language. Every word of the hypothesis stands somewhere in the text.
#pragma once

#include <string>
#include <vector>

#include "base/namespaces.h"
#include "translate/prepared_line.h"
#include "translate/text_tools.h"
#include "translate/translated.h"

namespace dragoman::translate {

class Joiner {
 public:
  // For candidates whose words are these. Both must outlive it.
  Joiner(const TextTools& tools, const Vocabulary& target_words);

  SentenceCandidate join(const PreparedSentence& sentence, DecodedCandidate&& candidate) const;

 private:
  // The target words as they are written where nothing else is asked for.
  std::vector<std::string> written_words(const PreparedSentence& sentence, const DecodedCandidate& candidate) const;
  void write(const PreparedSentence& sentence, const std::vector<GivenUse>& given, SentenceCandidate& made) const;

  const TextTools& tools_;
  // Words that were learned since have forms of their own.
  std::optional<Casing> casing_;
};

}  // namespace dragoman::translate
