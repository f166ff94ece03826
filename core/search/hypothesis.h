// A derivation written out: target words with their links to the source, which rule covered what, and the value of
// every feature, worked out again from the words and rules alone. The score is the product of features and weights.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/interval.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "search/kbest.h"
#include "search/model_sessions.h"

namespace dragoman::search {

// A rule of the derivation with what it covers, gaps included, on either side.
struct Application {
  const ScoredRule* rule;
  Span source;
  Span target;
  std::vector<Span> source_gaps, target_gaps;  // by gap of the source side
  std::vector<uint32_t> target_words;          // positions of its own words in the output
  std::vector<uint32_t> source_words;          // positions of its own words in the input
};

struct Hypothesis {
  double score = 0;         // features times weights
  double search_score = 0;  // what the search added up
  std::vector<WordId> words;
  std::vector<uint32_t> affiliations;                  // of each word, a source position
  Links links;                                         // source, target; sorted
  std::vector<std::pair<FeatureId, double>> features;  // those that are not 0
  std::vector<Application> applications;               // in order of the target side, parents first
};

// phrase_based says which decoder made the derivation.
Hypothesis write_out(const Derivation& derivation, bool phrase_based, uint32_t source_size, ModelSessions& models);

}  // namespace dragoman::search
