// From the words of a hypothesis to text: case is restored, what was given or passed through comes out as it went in,
// and words are joined by the spacing of the language. Every word of the hypothesis stands somewhere in the text.
#pragma once

#include <optional>
#include <span>
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
  // The same for a candidate of whose words some were typed, so that what was given need not be among them.
  SentenceCandidate join_completion(const PreparedSentence& sentence, DecodedCandidate&& candidate) const;

 private:
  // What is written in one piece: a word, or a text that was given for a source token.
  struct Piece {
    Span target;
    std::optional<uint32_t> source = {};  // the token that it was given for
    bool token = false;                   // that token itself, spaced as words are
    const WrittenText* text = nullptr;
    Mark before = Mark::none;
    Mark after = Mark::none;

    bool verbatim() const { return text && !token; }
  };

  std::vector<Piece> pieces_of(const PreparedSentence& sentence, const DecodedCandidate& candidate) const;
  // Gives the pieces their marks.
  void space(const PreparedSentence& sentence, const DecodedCandidate& candidate, std::vector<Piece>& pieces) const;
  // The target words as they are written, with the marks of their pieces.
  std::vector<std::string> written_words(const PreparedSentence& sentence, const DecodedCandidate& candidate,
                                         std::span<const Piece> pieces) const;
  void write_quotes(const PreparedSentence& sentence, const DecodedCandidate& candidate,
                    std::vector<std::string>& words) const;
  void write(const PreparedSentence& sentence, std::span<const Piece> pieces, SentenceCandidate& joined) const;

  const TextTools& tools_;
  // Words that were learned since have forms of their own.
  std::optional<Casing> casing_;
};

// Rewrites the sides of rules, the model's words with spaces between, as their languages are written.
void write_sides(const TextTools& tools, std::vector<RuleUse>& rules);

}  // namespace dragoman::translate
