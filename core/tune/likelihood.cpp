#include "tune/likelihood.h"

#include <algorithm>
#include <cmath>

#include "base/errors.h"

namespace dragoman::tune {
namespace {

constexpr uint32_t most_steps = 100;
constexpr int most_halvings = 40;
// What a step must gain to be followed by another.
constexpr double least_climb = 1e-13;

// Of one sentence, with one added to the counts of n-grams of two words and more.
double smoothed_bleu(const SentenceBleu& row) {
  if (row.matches[0] == 0) return 0;
  double log_precision = std::log(double(row.matches[0]) / double(row.totals[0]));
  for (size_t n = 1; n < bleu_order; ++n) log_precision += std::log((row.matches[n] + 1.0) / (row.totals[n] + 1.0));
  const double length = double(row.reference_words) / double(row.totals[0]);
  return std::exp(log_precision / bleu_order + std::min(0.0, 1 - length));
}

// The objective, and its first and second derivatives, the latter with its sign turned.
struct Point {
  double value = 0;
  std::vector<double> gradient, curvature;
};

class Objective {
 public:
  Objective(const Pool& pool, std::span<const double> start) : pool_(pool), start_(start) {
    for (size_t s = 0; s < pool.sentences(); ++s) {
      size_t best = 0;
      for (size_t c = 1; c < pool.size(s); ++c)
        if (smoothed_bleu(pool.bleu(s, c)) > smoothed_bleu(pool.bleu(s, best))) best = c;
      best_.push_back(best);
    }
  }

  Point at(std::span<const double> weights, bool derivatives) {
    const size_t width = weights.size();
    Point point;
    if (derivatives) {
      point.gradient.assign(width, 0.0);
      point.curvature.assign(width * width, 0.0);
    }
    for (size_t s = 0; s < pool_.sentences(); ++s)
      if (pool_.size(s) > 0) add(s, weights, derivatives, point);
    const double share = 1 / static_cast<double>(pool_.sentences());
    point.value *= share;
    for (double& number : point.gradient) number *= share;
    for (double& number : point.curvature) number *= share;
    for (size_t f = 0; f < width; ++f) {
      const double away = weights[f] - start_[f];
      point.value -= likelihood_pull / 2 * away * away;
      if (!derivatives) continue;
      point.gradient[f] -= likelihood_pull * away;
      point.curvature[f * width + f] += likelihood_pull;
    }
    return point;
  }

 private:
  void add(size_t sentence, std::span<const double> weights, bool derivatives, Point& point) {
    const size_t width = weights.size();
    pool_.score(sentence, weights, scores_);
    const double highest = *std::ranges::max_element(scores_);
    const double best = scores_[best_[sentence]] - highest;
    double sum = 0;
    for (double& score : scores_) sum += score = std::exp(score - highest);
    point.value += best - std::log(sum);
    if (!derivatives) return;
    mean_.assign(width, 0.0);
    for (size_t c = 0; c < scores_.size(); ++c) {
      const auto values = pool_.values(sentence, c);
      for (size_t f = 0; f < width; ++f) mean_[f] += scores_[c] / sum * values[f];
    }
    const auto wanted = pool_.values(sentence, best_[sentence]);
    for (size_t f = 0; f < width; ++f) point.gradient[f] += wanted[f] - mean_[f];
    away_.resize(width);
    for (size_t c = 0; c < scores_.size(); ++c) {
      const auto values = pool_.values(sentence, c);
      for (size_t f = 0; f < width; ++f) away_[f] = values[f] - mean_[f];
      for (size_t f = 0; f < width; ++f)
        for (size_t g = 0; g <= f; ++g) point.curvature[f * width + g] += scores_[c] / sum * away_[f] * away_[g];
    }
  }

  const Pool& pool_;
  std::span<const double> start_;
  std::vector<size_t> best_;
  std::vector<double> scores_, mean_, away_;
};

// Solves for a symmetric positive matrix, of which the lower half is given, by Cholesky's factors.
std::vector<double> solved(std::vector<double> matrix, std::vector<double> right) {
  const size_t width = right.size();
  for (size_t row = 0; row < width; ++row)
    for (size_t column = 0; column <= row; ++column) {
      double rest = matrix[row * width + column];
      for (size_t k = 0; k < column; ++k) rest -= matrix[row * width + k] * matrix[column * width + k];
      // The pull keeps the diagonal above zero, but for rounding.
      matrix[row * width + column] =
          row == column ? std::sqrt(std::max(rest, likelihood_pull / 2)) : rest / matrix[column * width + column];
    }
  for (size_t row = 0; row < width; ++row) {
    for (size_t k = 0; k < row; ++k) right[row] -= matrix[row * width + k] * right[k];
    right[row] /= matrix[row * width + row];
  }
  for (size_t row = width; row-- > 0;) {
    for (size_t k = row + 1; k < width; ++k) right[row] -= matrix[k * width + row] * right[k];
    right[row] /= matrix[row * width + row];
  }
  return right;
}

}  // namespace

TunedWeights likelihood(const Pool& pool, std::span<const double> start, Monitor& monitor) {
  if (start.size() != pool.features()) throw ConfigError("weights", "are not those of the pool's features");
  Objective objective(pool, start);
  std::vector<double> weights(start.begin(), start.end()), moved;
  monitor.start(most_steps);
  for (uint32_t steps = 0; steps < most_steps && !monitor.cancelled(); ++steps) {
    const Point here = objective.at(weights, true);
    const std::vector<double> step = solved(here.curvature, here.gradient);
    double gain = 0, length = 1;
    for (int halving = 0; halving < most_halvings && !(gain > 0); ++halving, length /= 2) {
      moved = weights;
      for (size_t f = 0; f < moved.size(); ++f) moved[f] += length * step[f];
      gain = objective.at(moved, false).value - here.value;
    }
    monitor.add(1);
    if (!(gain > 0)) break;
    weights = moved;
    if (gain < least_climb) break;
  }
  return {weights, bleu_score(pool.counts(weights))};
}

}  // namespace dragoman::tune
