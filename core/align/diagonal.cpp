#include "align/diagonal.h"

#include <algorithm>
#include <cmath>

namespace dragoman::align {

void Diagonal::posteriors(const DiagonalParameters& parameters, size_t states, size_t steps, float* emissions,
                          float* null_emissions, DiagonalSums* sums) {
  weights_.resize(states);
  const double step = 1.0 / static_cast<double>(states);
  // Along the states the weights are geometric on both sides of the diagonal.
  const double ratio = std::exp(-parameters.tension * step);
  for (size_t j = 0; j < steps; ++j) {
    const double place = static_cast<double>(j + 1) / static_cast<double>(steps);
    const auto right = std::min(states - 1, static_cast<size_t>(std::max(0.0, std::ceil(place / step - 1))));
    double weight = std::exp(-parameters.tension * std::abs(static_cast<double>(right + 1) * step - place));
    for (size_t i = right; i < states; ++i, weight *= ratio) weights_[i] = static_cast<float>(weight);
    if (right > 0) {
      weight = std::exp(-parameters.tension * std::abs(place - static_cast<double>(right) * step));
      for (size_t i = right; i-- > 0; weight *= ratio) weights_[i] = static_cast<float>(weight);
    }
    float normalizer = 0;
    for (float value : weights_) normalizer += value;
    float* emission = emissions + j * states;
    const float scale = (1 - parameters.null_share) / normalizer;
    float total = parameters.null_share * null_emissions[j];
    null_emissions[j] = total;
    for (size_t i = 0; i < states; ++i) {
      emission[i] *= weights_[i] * scale;
      total += emission[i];
    }
    total = std::max(total, 1e-35f);
    const float inverse = 1 / total;
    for (size_t i = 0; i < states; ++i) emission[i] *= inverse;
    null_emissions[j] *= inverse;
    if (!sums) continue;
    double expected = 0, squared = 0, observed = 0;
    for (size_t i = 0; i < states; ++i) {
      const double distance = std::abs(static_cast<double>(i + 1) * step - place);
      const double share = weights_[i] / normalizer;
      expected += share * distance;
      squared += share * distance * distance;
      observed += emission[i] * distance;
    }
    const double mass = 1 - null_emissions[j];
    sums->gradient += mass * expected - observed;
    sums->curvature += mass * std::max(0.0, squared - expected * expected);
    sums->log_likelihood += std::log(total);
  }
}

float updated_tension(float tension, const DiagonalSums& sums) {
  if (sums.curvature <= 0) return tension;
  const double step = sums.gradient / sums.curvature;
  const double next = std::clamp(tension + step, tension / 2.0, tension * 2.0);
  return static_cast<float>(std::clamp(next, 0.1, 50.0));
}

}  // namespace dragoman::align
