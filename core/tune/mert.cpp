#include "tune/mert.h"

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/random.h"
#include "tune/line_search.h"

namespace dragoman::tune {
namespace {

// A sweep over all directions that gains less than this ends the climb.
constexpr double least_gain = 1e-5;
constexpr int most_sweeps = 30;

double norm(std::span<const double> weights, const std::vector<bool>& counted) {
  double sum = 0;
  for (size_t f = 0; f < weights.size(); ++f)
    if (counted[f]) sum += std::abs(weights[f]);
  return sum;
}

// Half the starts are near the given weights, half are anywhere with the same signs or nearly so.
std::vector<double> random_start(std::span<const double> start, const std::vector<bool>& varies, uint64_t number,
                                 Random& random) {
  double largest = 0;
  for (size_t f = 0; f < start.size(); ++f)
    if (varies[f]) largest = std::max(largest, std::abs(start[f]));
  if (largest == 0) largest = 1;
  std::vector<double> weights(start.begin(), start.end());
  for (size_t f = 0; f < weights.size(); ++f) {
    if (!varies[f]) continue;
    if (number % 2)
      weights[f] += 0.2 * largest * random.normal();
    else
      weights[f] = 2 * random.uniform() * weights[f] + 0.3 * largest * random.normal();
  }
  return weights;
}

TunedWeights climb(const Pool& pool, std::vector<double> point, const std::vector<bool>& varies,
                   const MertOptions& options, Random& random, Monitor& monitor) {
  std::vector<uint32_t> coordinates;
  for (uint32_t f = 0; f < point.size(); ++f)
    if (varies[f]) coordinates.push_back(f);
  TunedWeights best{std::move(point), 0};
  best.bleu = bleu_score(pool.counts(best.weights));
  std::vector<double> direction(best.weights.size()), moved;
  auto search = [&] {
    if (monitor.cancelled()) return;
    const LineOptimum optimum = line_search(pool, best.weights, direction);
    if (optimum.bleu <= best.bleu) return;
    moved = best.weights;
    for (size_t f = 0; f < moved.size(); ++f) moved[f] += optimum.step * direction[f];
    // An interval can be narrower than rounding; only what is there counts.
    const double bleu = bleu_score(pool.counts(moved));
    if (bleu > best.bleu) best = {moved, bleu};
  };
  for (int sweep = 0; sweep < most_sweeps && !monitor.cancelled(); ++sweep) {
    const double before = best.bleu;
    for (uint32_t turn : random.shuffled(coordinates.size())) {
      std::ranges::fill(direction, 0.0);
      direction[coordinates[turn]] = 1;
      search();
    }
    for (uint32_t i = 0; i < options.directions; ++i) {
      for (size_t f = 0; f < direction.size(); ++f) direction[f] = varies[f] ? random.normal() : 0;
      search();
    }
    if (best.bleu - before < least_gain) break;
  }
  return best;
}

}  // namespace

std::vector<bool> features_that_vary(const Pool& pool) {
  std::vector<bool> varies(pool.features(), false);
  for (size_t s = 0; s < pool.sentences(); ++s)
    for (size_t c = 1; c < pool.size(s); ++c)
      for (size_t f = 0; f < varies.size(); ++f)
        if (!varies[f] && pool.values(s, c)[f] != pool.values(s, 0)[f]) varies[f] = true;
  return varies;
}

TunedWeights mert(const Pool& pool, std::span<const double> start, const MertOptions& options, size_t threads,
                  Monitor& monitor) {
  if (start.size() != pool.features()) throw ConfigError("weights", "are not those of the pool's features");
  if (options.starts == 0) throw ConfigError("starts", "must be at least 1");
  std::vector<bool> varies = features_that_vary(pool);
  for (uint32_t feature : options.fixed) {
    if (feature >= varies.size()) throw ConfigError("fixed", "names features that the pool does not have");
    varies[feature] = false;
  }
  std::vector<TunedWeights> optima(options.starts);
  monitor.start(options.starts);
  for_each_shard(options.starts, threads ? threads : default_threads(), monitor, [&](size_t number) {
    Random random(options.seed, number);
    std::vector<double> point(start.begin(), start.end());
    if (number > 0) point = random_start(start, varies, number, random);
    optima[number] = climb(pool, std::move(point), varies, options, random, monitor);
    monitor.add(1);
  });
  TunedWeights best = *std::ranges::max_element(optima, {}, &TunedWeights::bleu);
  if (!options.fixed.empty()) return best;
  const double before = norm(start, varies), after = norm(best.weights, varies);
  if (before > 0 && after > 0)
    for (size_t f = 0; f < best.weights.size(); ++f)
      if (varies[f]) best.weights[f] *= before / after;
  return best;
}

}  // namespace dragoman::tune
