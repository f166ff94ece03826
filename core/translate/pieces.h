// Sentences that are too long are decoded in pieces, and what comes out is put together again.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "translate/prepared_line.h"
#include "translate/translated.h"

namespace dragoman::translate {

// The words from `begin` to `end` as a sentence of their own.
SourceSentence piece_of(const TextTools& tools, const PreparedSentence& sentence, uint32_t begin, uint32_t end);

// A candidate for two pieces that lie side by side; the second begins at source position `at`.
DecodedCandidate concatenated(const DecodedCandidate& left, const DecodedCandidate& right, uint32_t at);

Features sum(const Features& left, const Features& right);

// The `most` best sums of one score of each list, both best first.
std::vector<std::pair<size_t, size_t>> best_pairs(std::span<const double> left, std::span<const double> right,
                                                  size_t most);

template <class Candidate>
std::vector<double> scores_of(const std::vector<Candidate>& candidates) {
  std::vector<double> scores;
  for (const Candidate& candidate : candidates) scores.push_back(candidate.score);
  return scores;
}

}  // namespace dragoman::translate
