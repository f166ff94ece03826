#include "translate/pieces.h"

#include <algorithm>
#include <functional>
#include <map>

namespace dragoman::translate {

Features sum(const Features& left, const Features& right) {
  std::map<FeatureId, double> total(left.begin(), left.end());
  for (const auto& [id, value] : right) total[id] += value;
  return {total.begin(), total.end()};
}

std::vector<std::pair<size_t, size_t>> best_pairs(std::span<const double> left, std::span<const double> right,
                                                  size_t most) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < left.size() && i < most; ++i)
    for (size_t j = 0; j < right.size() && (i + 1) * (j + 1) <= most; ++j) pairs.emplace_back(i, j);
  std::ranges::stable_sort(pairs, std::greater(),
                           [&](const auto& pair) { return left[pair.first] + right[pair.second]; });
  if (pairs.size() > most) pairs.resize(most);
  return pairs;
}

DecodedCandidate concatenated(const DecodedCandidate& left, const DecodedCandidate& right, uint32_t at) {
  DecodedCandidate candidate = left;
  const uint32_t target = static_cast<uint32_t>(left.words.size());
  candidate.words.insert(candidate.words.end(), right.words.begin(), right.words.end());
  candidate.kinds.insert(candidate.kinds.end(), right.kinds.begin(), right.kinds.end());
  for (uint32_t affiliation : right.affiliations) candidate.affiliations.push_back(affiliation + at);
  for (auto [s, t] : right.links) candidate.links.push_back({s + at, t + target});
  for (GivenUse use : right.given) {
    use.token += at;
    use.target = use.target.shifted(target);
    candidate.given.push_back(use);
  }
  for (RuleUse rule : right.rules) {
    rule.source = rule.source.shifted(at);
    rule.target = rule.target.shifted(target);
    for (Span& gap : rule.source_gaps) gap = gap.shifted(at);
    for (Span& gap : rule.target_gaps) gap = gap.shifted(target);
    candidate.rules.push_back(std::move(rule));
  }
  candidate.score += right.score;
  candidate.search_score += right.search_score;
  candidate.features = sum(left.features, right.features);
  return candidate;
}

SourceSentence piece_of(const TextTools& tools, const PreparedSentence& sentence, uint32_t begin, uint32_t end) {
  SourceSentence piece;
  piece.filter = tools.filter.get();
  piece.single_quotes = sentence.single_quotes;
  piece.tokens.assign(sentence.words.tokens.begin() + begin, sentence.words.tokens.begin() + end);
  for (const Span& zone : sentence.constraints.zones)
    if (zone.begin >= begin && zone.end <= end && zone.begin < zone.end)
      piece.constraints.zones.push_back({zone.begin - begin, zone.end - begin});
  for (const Wall& wall : sentence.constraints.walls)
    if (wall.position > begin && wall.position < end)
      piece.constraints.walls.push_back({wall.position - begin, wall.begin > begin ? wall.begin - begin : 0,
                                         wall.end == UINT32_MAX ? wall.end : wall.end - begin, wall.open});
  for (const auto& group : sentence.constraints.ordered) {
    std::vector<uint32_t> inside;
    for (const uint32_t at : group)
      if (at >= begin && at < end) inside.push_back(at - begin);
    if (inside.size() > 1) piece.constraints.ordered.push_back(std::move(inside));
  }
  return piece;
}

}  // namespace dragoman::translate
