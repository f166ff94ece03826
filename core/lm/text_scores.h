// Scores of whole texts: per word, per sentence and in all, with unknown words counted apart.
#pragma once

#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "lm/language_model.h"

namespace dragoman::lm {

struct SentenceScore {
  double log10_prob = 0;          // all words and the sentence end
  double log10_prob_unknown = 0;  // the part of unknown words
  uint32_t tokens = 0;            // sentence end included
  uint32_t unknown = 0;
};

struct TokenScore {
  float log10_prob;
  uint8_t ngram_length;
  bool unknown;
};

struct TextScores {
  std::vector<SentenceScore> sentences;
  std::vector<TokenScore> tokens;  // of all sentences, ends included; only if asked for
};

// One sentence a line, words separated by spaces.
TextScores score_text(const LanguageModel& model, std::string_view text, bool per_token, size_t threads,
                      Monitor& monitor);

}  // namespace dragoman::lm
