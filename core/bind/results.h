// What the core says as plain dictionaries, lists and tuples; _core.pyi names their keys.
#pragma once

#include <span>
#include <string_view>

#include "bind/bind.h"
#include "index/index_builder.h"
#include "index/near_pairs.h"
#include "lm/text_scores.h"
#include "search/decoder.h"
#include "search/forced.h"
#include "translate/translated.h"

namespace dragoman::bind {

using Weights = std::vector<std::pair<std::string, double>>;      // by feature
using Models = std::vector<std::pair<std::string, std::string>>;  // feature and file

// Spans of a text's bytes as spans of its characters.
nb::list characters_of(std::string_view text, std::span<const TextSpan> spans);

nb::dict counts_dict(const IndexCounts& counts);

// Stable id, distance, words of the longer side, kept words and pairs of the same words of each; and whether nothing
// nearer can be there.
nb::tuple near_tuple(const NearPairs& nearest);

// Those of sentences, and those of tokens if they were asked for.
nb::tuple scores_tuple(const lm::TextScores& scores);

nb::dict candidate_dict(const search::DecodedCandidate& candidate, const search::FeatureSet& set, bool explain);
nb::dict sentence_dict(const search::DecodedSentence& sentence, const search::FeatureSet& set, bool explain);
nb::dict line_dict(const translate::TranslatedLine& line, const search::FeatureSet& set, bool explain);

// Why a translation cannot be had.
void add_obstacles(nb::dict& fields, const search::Forced& forced);

}  // namespace dragoman::bind
