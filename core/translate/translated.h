// What is asked of a translator and what it gives back: lines, their sentences, and ways to translate each. Spans count
// bytes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/interval.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "search/decoder.h"

namespace dragoman::translate {

struct TranslateRequest {
  DecodeRequest decode;
  bool markup = false;
  // Sentences longer than this are cut, at punctuation where there is any; 0 never cuts.
  uint32_t max_sentence_words = 100;
};

using Features = std::vector<std::pair<FeatureId, double>>;

// One way to translate a sentence; token positions are those of source_tokens and target_tokens.
struct SentenceCandidate {
  std::string text;
  std::vector<std::string> target_tokens;  // as written
  std::vector<TextSpan> target_spans;      // where each stands in `text`
  double score;
  Features features;
  Links links;
  std::vector<RuleUse> rules;
  std::vector<uint32_t> unknown;  // target positions of words that passed through
};

struct TranslatedSentence {
  std::string source;
  std::vector<std::string> source_tokens;
  std::vector<TextSpan> source_spans;         // where each stands in `source`
  std::vector<SentenceCandidate> candidates;  // best first
  TextSpan source_span;                       // of the line without its instructions
  TextSpan target_span;                       // of the line's best translation, where the best candidate stands
  bool narrowed = false;
  uint32_t given = 0;       // spans with given translations and protected tokens on the source side
  uint32_t given_kept = 0;  // of them on the target side, best candidate
  ModelQueries neural;
  // Terms of the glossary that the best candidate obeys, and how each is written there.
  std::vector<std::pair<std::string, std::string>> terms;
};

struct TranslatedLine {
  std::string source;  // without its instructions
  std::string text;
  std::vector<TranslatedSentence> sentences;
  // The best ways to translate the whole line, `text` first: its text, score and features.
  struct Alternative {
    std::string text;
    double score;
    Features features;
  };
  std::vector<Alternative> alternatives;
};

}  // namespace dragoman::translate
