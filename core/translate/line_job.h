// A line on its way through the decoder, one piece of a sentence after the other: between two of them whoever runs it
// may do something else first, or never come back.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "translate/joiner.h"
#include "translate/prepared_line.h"
#include "translate/text_translator.h"
#include "translate/translated.h"

namespace dragoman::translate {

class LineJob {
 public:
  // What is asked for is the same throughout, but for limits and the interrupt, which `advance` is given.
  LineJob(const TextTranslator& translator, std::string_view line, uint64_t line_number,
          const TranslateRequest& request, const Glossary& glossary);

  bool done() const { return sentence_ == prepared_.sentences.size(); }
  // Decodes the next piece, of at most max_sentence_words; returns how many words it had.
  uint32_t advance(const DecodeRequest& request);
  // Of the line, but for what markup takes: up to the end of the last sentence that is done.
  size_t bytes_done() const { return copied_; }
  // When it is done.
  TranslatedLine finish();

 private:
  TranslatedSentence finished_sentence(const PreparedSentence& sentence);
  void append(TranslatedSentence&& sentence, TextSpan span, size_t most);

  const TextTranslator& translator_;
  std::shared_ptr<const RuleSource> rules_;
  PreparedLine prepared_;
  Joiner joiner_;
  TranslatedLine translated_;
  uint64_t copied_ = 0;                       // so much of the line is in translated_
  size_t sentence_ = 0, piece_ = 0;           // that come next
  std::vector<DecodedCandidate> candidates_;  // of the pieces of this sentence so far
  bool narrowed_ = false;
  ModelQueries neural_;
};

}  // namespace dragoman::translate
