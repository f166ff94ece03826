#include "tune/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dragoman::tune {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// How far beyond the last point the middle of an open interval is taken to be.
constexpr double open_step = 0.1;

struct Change {
  double at;
  uint32_t sentence;
  uint32_t before, after;  // candidates
};

double middle(double from, double to) {
  if (from == -infinity && to == infinity) return 0;
  if (from == -infinity) return to - open_step;
  if (to == infinity) return from + open_step;
  return from + (to - from) / 2;
}

// 0 inside the interval, else the distance to its nearer end.
double distance(double from, double to) { return from > 0 ? from : to < 0 ? -to : 0; }

}  // namespace

std::vector<EnvelopePiece> envelope(std::span<const double> offsets, std::span<const double> slopes) {
  std::vector<uint32_t> order(offsets.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    if (slopes[a] != slopes[b]) return slopes[a] < slopes[b];
    if (offsets[a] != offsets[b]) return offsets[a] > offsets[b];
    return a < b;
  });
  std::vector<EnvelopePiece> hull;
  for (uint32_t next : order) {
    if (!hull.empty() && slopes[hull.back().candidate] == slopes[next]) continue;  // parallel and not above
    double from = -infinity;
    while (!hull.empty()) {
      const uint32_t last = hull.back().candidate;
      from = (offsets[last] - offsets[next]) / (slopes[next] - slopes[last]);
      if (from > hull.back().from) break;
      hull.pop_back();
      from = -infinity;
    }
    // A crossing too far out for a number: the steeper line wins nowhere that can be reached.
    if (from == infinity || std::isnan(from)) continue;
    hull.push_back({from, next});
  }
  return hull;
}

LineOptimum line_search(const Pool& pool, std::span<const double> weights, std::span<const double> direction) {
  std::vector<double> offsets, slopes;
  std::vector<Change> changes;
  CorpusBleu counts;
  for (size_t s = 0; s < pool.sentences(); ++s) {
    if (pool.size(s) == 0) continue;
    pool.score(s, weights, offsets);
    pool.score(s, direction, slopes);
    const std::vector<EnvelopePiece> pieces = envelope(offsets, slopes);
    counts += pool.bleu(s, pieces[0].candidate);
    for (size_t i = 1; i < pieces.size(); ++i)
      changes.push_back({pieces[i].from, static_cast<uint32_t>(s), pieces[i - 1].candidate, pieces[i].candidate});
  }
  std::ranges::sort(changes, [](const Change& a, const Change& b) {
    if (a.at != b.at) return a.at < b.at;
    return a.sentence != b.sentence ? a.sentence < b.sentence : a.after < b.after;
  });
  LineOptimum best{0, -1};
  double best_distance = infinity;
  double from = -infinity;
  auto consider = [&](double to) {
    const double bleu = bleu_score(counts);
    const double away = distance(from, to);
    if (bleu > best.bleu || (bleu == best.bleu && away < best_distance)) {
      // Where the current point lies in a best interval, nothing is gained by leaving it.
      best = {away == 0 && from < 0 && to > 0 ? 0 : middle(from, to), bleu};
      best_distance = away;
    }
  };
  for (size_t i = 0; i < changes.size();) {
    const double at = changes[i].at;
    if (at > from) consider(at);
    // Sentences may change several times at one point; every change is made before the next interval is judged.
    for (; i < changes.size() && changes[i].at == at; ++i) {
      counts -= pool.bleu(changes[i].sentence, changes[i].before);
      counts += pool.bleu(changes[i].sentence, changes[i].after);
    }
    from = at;
  }
  consider(infinity);
  return best;
}

}  // namespace dragoman::tune
