// Scores of whole texts by a neural model: per word, per sentence and in all, with unknown words counted apart.
#pragma once

#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "lm/text_scores.h"
#include "nlm/neural_model.h"

namespace dragoman::nlm {

// What a source-conditioned model reads beside the text, line by line: source words, and links as i-j.
struct SourceLines {
  std::string_view source, links;
};

// One sentence a line, words separated by spaces. Throws InputError if the model reads the source and none is given, if
// it does not and one is, and if the files do not fit together.
lm::TextScores score_text(const NeuralModel& model, std::string_view text, const SourceLines* source, bool per_token,
                          size_t threads, Monitor& monitor);

}  // namespace dragoman::nlm
