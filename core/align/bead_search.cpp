#include "align/bead_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "align/bead_scores.h"
#include "base/errors.h"

namespace dragoman::align {
namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();
// A bead leads at most three rows on, so four are open.
constexpr uint32_t open_rows = bead_sentences + 1;
// Ways further from the best beads than this count for nothing when their probability is taken.
constexpr uint32_t doubt_reach = 16;
constexpr uint32_t rows_between_polls = 64;

// One number for each cell of the rows that are open.
class RowRing {
 public:
  explicit RowRing(const SentenceBand& band) : band_(band) {}
  void open(uint32_t row) {
    if (row < band_.rows()) rows_[row % open_rows].assign(band_.row(row).size(), impossible);
  }
  double& at(uint32_t row, uint32_t column) { return rows_[row % open_rows][column - band_.row(row).begin]; }

 private:
  const SentenceBand& band_;
  std::array<std::vector<double>, open_rows> rows_;
};

double log_add(double one, double other) {
  if (one < other) std::swap(one, other);
  return other == impossible ? one : one + std::log1p(std::exp(other - one));
}

double likely(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

// Calls visit(kind, next source, next target) for every bead that may begin at a cell.
template <class Visit>
void for_each_step(const SentenceBand& band, uint32_t source, uint32_t target, Visit&& visit) {
  for (size_t kind = 0; kind < bead_kinds.size(); ++kind) {
    const uint32_t next = source + bead_kinds[kind].source;
    if (next < band.rows() && band.row(next).contains(target + bead_kinds[kind].target))
      visit(kind, next, target + bead_kinds[kind].target);
  }
}

std::vector<Bead> best_beads(BeadScores& scores, const SentenceBand& band, Monitor& monitor) {
  scores.set_band(band);
  constexpr auto no_kind = static_cast<uint8_t>(bead_kinds.size());
  std::vector<uint8_t> reached_by(band.cells(), no_kind);
  RowRing best(band);
  for (uint32_t row = 0; row < open_rows - 1; ++row) best.open(row);
  best.at(0, 0) = 0;
  for (uint32_t source = 0; source < band.rows(); ++source) {
    if (source % rows_between_polls == 0) monitor.poll();
    best.open(source + open_rows - 1);
    scores.move_to(source);
    for (uint32_t target = band.row(source).begin; target < band.row(source).end; ++target) {
      const double here = best.at(source, target);
      if (here == impossible) continue;
      for_each_step(band, source, target, [&](size_t kind, uint32_t next, uint32_t column) {
        const double score = here + scores.score(kind, source, target);
        double& there = best.at(next, column);
        if (score <= there) return;
        there = score;
        reached_by[band.offset(next) + column - band.row(next).begin] = static_cast<uint8_t>(kind);
      });
    }
    monitor.add(1);
  }
  std::vector<Bead> beads;
  uint32_t source = band.rows() - 1, target = band.row(source).end - 1;
  while (source > 0 || target > 0) {
    const BeadKind& kind = bead_kinds[reached_by[band.offset(source) + target - band.row(source).begin]];
    beads.push_back({{source - kind.source, source}, {target - kind.target, target}});
    source -= kind.source;
    target -= kind.target;
  }
  std::reverse(beads.begin(), beads.end());
  return beads;
}

// Each bead's share of all ways through the band: the sums before its beginning and after its end. Documents that have
// nothing to do with each other have a best way too, so a bead must also be worth more than even odds by itself.
void judge(BeadScores& scores, const SentenceBand& band, std::vector<Bead>& beads, Monitor& monitor) {
  scores.set_band(band);
  std::vector<double> before(band.cells(), impossible);
  auto before_at = [&](uint32_t row, uint32_t column) -> double& {
    return before[band.offset(row) + column - band.row(row).begin];
  };
  before_at(0, 0) = 0;
  for (uint32_t source = 0; source < band.rows(); ++source) {
    if (source % rows_between_polls == 0) monitor.poll();
    scores.move_to(source);
    for (uint32_t target = band.row(source).begin; target < band.row(source).end; ++target) {
      const double here = before_at(source, target);
      if (here == impossible) continue;
      for_each_step(band, source, target, [&](size_t kind, uint32_t next, uint32_t column) {
        double& there = before_at(next, column);
        there = log_add(there, here + scores.score(kind, source, target));
      });
    }
  }
  const double all = before.back();
  RowRing after(band);
  const uint32_t last = band.rows() - 1;
  auto bead = beads.rbegin();
  for (uint32_t source = last;; --source) {
    if (source % rows_between_polls == 0) monitor.poll();
    after.open(source);
    scores.move_to(source);
    for (uint32_t target = band.row(source).end; target-- > band.row(source).begin;) {
      double& here = after.at(source, target);
      if (source == last && target == band.row(last).end - 1) here = 0;
      const bool begins = bead != beads.rend() && bead->source.begin == source && bead->target.begin == target;
      for_each_step(band, source, target, [&](size_t kind, uint32_t next, uint32_t column) {
        const double way = scores.score(kind, source, target) + after.at(next, column);
        here = log_add(here, way);
        if (!begins || bead->source.end != next || bead->target.end != column) return;
        const double share = std::min(std::exp(before_at(source, target) + way - all), 1.0);
        const bool whole = next > source && column > target;
        bead->quality = static_cast<float>(whole ? share * likely(scores.evidence(kind, source, target)) : share);
      });
      if (begins) ++bead;
    }
    if (source == 0) break;
  }
}

// Most sentences in a row, of either side, that no good bead pairs: their partners may lie outside of a narrower band.
uint32_t longest_stretch_alone(std::span<const Bead> beads) {
  constexpr float good = 0.5f;
  uint32_t longest = 0, source = 0, target = 0;
  for (const Bead& bead : beads) {
    const bool paired = !bead.source.empty() && !bead.target.empty() && bead.quality >= good;
    source = paired ? 0 : source + bead.source.size();
    target = paired ? 0 : target + bead.target.size();
    longest = std::max({longest, source, target});
  }
  return longest;
}

void require_cover(std::span<const Bead> beads, const DocumentPair& pair) {
  uint32_t source = 0, target = 0;
  for (const Bead& bead : beads) {
    const bool follows = bead.source.begin == source && bead.target.begin == target;
    if (!follows || kind_of(bead.source.size(), bead.target.size()) == bead_kinds.size())
      throw InputError(0, "the earlier beads do not follow each other");
    source = bead.source.end;
    target = bead.target.end;
  }
  if (source != pair.source.size() || target != pair.target.size())
    throw InputError(0, "the earlier beads do not cover the documents");
}

}  // namespace

std::vector<Bead> find_beads(const DocumentPair& pair, const AlignmentModel* lexicon, std::span<const Bead> earlier,
                             const BeadSearchOptions& options, Monitor& monitor) {
  const uint32_t sources = pair.source.size(), targets = pair.target.size();
  if (!earlier.empty()) require_cover(earlier, pair);
  if (!(options.length_ratio >= 0 && options.length_ratio < 1e6))
    throw ConfigError("length_ratio", "must be a number from 0 on");
  auto make_band = [&](uint32_t reach) {
    return earlier.empty() ? SentenceBand::around_diagonal(pair.source.characters, pair.target.characters, reach)
                           : SentenceBand::around(earlier, sources, targets, reach);
  };
  auto fits = [&](uint32_t reach) { return make_band(reach).cells() <= options.max_band_cells; };
  const DocumentLexicon words(pair, lexicon);
  const BeadModel model(pair, earlier, options.length_ratio);
  BeadScores scores(pair, words, model);
  std::vector<Bead> beads;
  uint32_t reach = std::max(options.reach, 1u);
  while (reach > 1 && !fits(reach)) reach /= 2;
  while (true) {
    monitor.start(sources + 1);
    const SentenceBand band = make_band(reach);
    beads = best_beads(scores, band, monitor);
    judge(scores, SentenceBand::around(beads, sources, targets, doubt_reach), beads, monitor);
    const bool wide_enough = reach >= targets || (!band.squeezes(beads) && longest_stretch_alone(beads) <= reach);
    if (wide_enough || !fits(2 * reach)) break;
    reach *= 2;
  }
  return beads;
}

}  // namespace dragoman::align
