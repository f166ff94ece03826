#include "align/bead_model.h"

#include <algorithm>
#include <cmath>

namespace dragoman::align {
namespace {

// Variance of a translation's length for each character of the original (Gale and Church 1993), as that of the ratio's
// logarithm, and what is left of it in long sentences.
constexpr double variance_of_character = 6.8;
constexpr double least_variance = 0.01;
// Beads of the usual shares that are believed in beside those found before.
constexpr double believed_beads = 50;
// Correlation of paragraphs' beginnings before it is known, and how many beads that counts for.
constexpr double usual_correlation = 0.5;
constexpr double least_share = 1e-4;

struct Opening {
  double share;

  explicit Opening(const std::vector<uint8_t>& opens)
      : share(opens.empty() ? 0
                            : static_cast<double>(std::ranges::count(opens, 1)) / static_cast<double>(opens.size())) {}
  double deviation() const { return std::sqrt(share * (1 - share)); }
};

// Characters of `count` sentences from each one on, at least 1.
std::vector<double> group_lengths(const DocumentSide& side, uint32_t count) {
  std::vector<double> lengths;
  for (uint32_t first = 0; first + count <= side.size(); ++first) {
    double sum = 0;
    for (uint32_t at = first; at < first + count; ++at) sum += side.characters[at];
    lengths.push_back(std::max(sum, 1.0));
  }
  return lengths;
}

double inside_score(const DocumentSide& side, uint32_t first, uint32_t count, const std::array<double, 2>& scores) {
  double sum = 0;
  for (uint32_t at = first + 1; at < first + count; ++at) sum += scores[side.opens[at]];
  return sum;
}

// How much longer translations are, in the logarithm.
double log_ratio(const DocumentPair& pair, std::span<const Bead> earlier) {
  double source = 0, target = 0;
  for (const Bead& bead : earlier) {
    if (bead.source.empty() || bead.target.empty()) continue;
    for (uint32_t at = bead.source.begin; at < bead.source.end; ++at) source += pair.source.characters[at];
    for (uint32_t at = bead.target.begin; at < bead.target.end; ++at) target += pair.target.characters[at];
  }
  if (source == 0 || target == 0) {
    source = target = 0;
    for (uint32_t characters : pair.source.characters) source += characters;
    for (uint32_t characters : pair.target.characters) target += characters;
  }
  return std::log(std::max(target, 1.0) / std::max(source, 1.0));
}

}  // namespace

BeadModel::BeadModel(const DocumentPair& pair, std::span<const Bead> earlier, double length_ratio) {
  learn_shares(earlier);
  learn_paragraphs(pair, earlier);
  const double ratio = length_ratio > 0 ? std::log(length_ratio) : log_ratio(pair, earlier);
  for (uint32_t count = 1; count <= bead_sentences; ++count) {
    const std::vector<double> lengths = group_lengths(pair.source, count);
    for (uint32_t first = 0; first < lengths.size(); ++first) {
      const double variance = variance_of_character / lengths[first] + least_variance;
      sources_[count - 1].push_back({std::log(lengths[first]) + ratio, 0.5 * std::log(variance), 0.5 / variance,
                                     inside_score(pair.source, first, count, inside_source_),
                                     pair.source.opens[first]});
    }
    const std::vector<double> others = group_lengths(pair.target, count);
    double sum = 0, squares = 0;
    for (double length : others) {
      sum += std::log(length);
      squares += std::log(length) * std::log(length);
    }
    const auto groups = static_cast<double>(std::max<size_t>(others.size(), 1));
    const double mean = sum / groups;
    const double variance = std::max(squares / groups - mean * mean, 0.0) + variance_of_character * std::exp(-mean);
    for (uint32_t first = 0; first < others.size(); ++first) {
      const double length = std::log(others[first]);
      targets_[count - 1].push_back(
          {length, 0.5 * (length - mean) * (length - mean) / variance + 0.5 * std::log(variance),
           inside_score(pair.target, first, count, inside_target_), pair.target.opens[first]});
    }
  }
}

void BeadModel::learn_shares(std::span<const Bead> earlier) {
  std::array<double, bead_kinds.size()> counts;
  double total = 0;
  for (size_t kind = 0; kind < counts.size(); ++kind) counts[kind] = believed_beads * bead_kinds[kind].prior;
  for (const Bead& bead : earlier)
    if (const size_t kind = kind_of(bead.source.size(), bead.target.size()); kind < counts.size()) ++counts[kind];
  for (double count : counts) total += count;
  for (size_t kind = 0; kind < counts.size(); ++kind) log_shares_[kind] = std::log(counts[kind] / total);
}

// The joint distribution of two events with known shares has one parameter, their correlation.
void BeadModel::learn_paragraphs(const DocumentPair& pair, std::span<const Bead> earlier) {
  const Opening source(pair.source.opens), target(pair.target.opens);
  const double deviation = source.deviation() * target.deviation();
  if (deviation == 0) return;
  double correlated = believed_beads * usual_correlation * deviation, beads = believed_beads;
  for (const Bead& bead : earlier) {
    if (bead.source.empty() || bead.target.empty()) continue;
    correlated +=
        (pair.source.opens[bead.source.begin] - source.share) * (pair.target.opens[bead.target.begin] - target.share);
    ++beads;
  }
  const double covariance = std::max(correlated / beads, 0.0);
  for (int ours : {0, 1})
    for (int theirs : {0, 1}) {
      const double alone = (ours ? source.share : 1 - source.share) * (theirs ? target.share : 1 - target.share);
      together_[ours][theirs] =
          std::log(std::max(alone + (ours == theirs ? covariance : -covariance), least_share * alone) / alone);
    }
  // The more paragraphs agree, the less likely does one begin inside a bead.
  const double correlation = std::min(covariance / deviation, 1 - least_share);
  auto inside = [&](const Opening& side) -> std::array<double, 2> {
    return {std::log((1 - side.share * (1 - correlation)) / (1 - side.share)), std::log(1 - correlation)};
  };
  inside_source_ = inside(source);
  inside_target_ = inside(target);
}

}  // namespace dragoman::align
