// Kernels of training on 64-bit ARM against sums written out, as a program by itself that an emulator can run.
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "nlm/training_kernels.h"

namespace dragoman::nlm::baseline {
extern const TrainingKernels training_table;
}

namespace {

using namespace dragoman::nlm;

const TrainingKernels& kernels = baseline::training_table;
int failures = 0;

void check(double worst, double most, const char* what) {
  if (worst <= most) return;
  ++failures;
  std::printf("%s: off by %g\n", what, worst);
}

std::vector<float> some(size_t count, uint32_t seed) {
  std::mt19937 source(seed);
  std::normal_distribution<float> normal(0, 1);
  std::vector<float> values(count);
  for (float& value : values) value = normal(source);
  return values;
}

void check_product() {
  constexpr uint32_t rows = 13, columns = 48, depth = 31;
  const auto left = some(rows * depth, 1), right = some(depth * columns, 2);
  std::vector<float> product(rows * columns);
  kernels.multiply({left.data(), depth, 1}, {right.data(), columns}, product.data(), columns, rows, columns, depth,
                   false);
  double worst = 0;
  for (uint32_t i = 0; i < rows; ++i)
    for (uint32_t c = 0; c < columns; ++c) {
      double sum = 0;
      for (uint32_t k = 0; k < depth; ++k) sum += double{left[i * depth + k]} * right[k * columns + c];
      worst = std::max(worst, std::fabs(sum - product[i * columns + c]));
    }
  check(worst, 1e-5, "product");
}

void check_logistic() {
  std::vector<float> values(512);
  for (size_t i = 0; i < values.size(); ++i) values[i] = 0.3f * (static_cast<float>(i) - 256);
  std::vector<float> slopes = values, losses(values.size());
  kernels.logistic(slopes.data(), losses.data(), static_cast<uint32_t>(values.size()));
  double worst = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double x = values[i], loss = std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x)));
    worst = std::max(
        {worst, std::fabs(slopes[i] - 1 / (1 + std::exp(-x))), std::fabs(losses[i] - loss) / std::max(1.0, loss)});
  }
  check(worst, 1e-6, "logistic function");
}

void check_likelihood() {
  constexpr uint32_t candidates = 9, contexts = 20, stride = padded(contexts);
  const auto logits = some(candidates * stride, 3), bias = some(candidates, 4);
  std::vector<uint32_t> observed(contexts);
  for (uint32_t c = 0; c < contexts; ++c) observed[c] = c % candidates;
  std::vector<float> slopes = logits, log_prob(contexts), log_normaliser(contexts);
  kernels.likelihood({slopes.data(), stride, candidates, contexts, bias.data(), observed.data()}, {0.3f, 0.5f},
                     {log_prob.data(), log_normaliser.data()});
  double worst = 0;
  for (uint32_t c = 0; c < contexts; ++c) {
    double total = 0;
    for (uint32_t i = 0; i < candidates; ++i) total += std::exp(double{logits[i * stride + c]} + bias[i]);
    const double normaliser = std::log(total);
    worst = std::max(worst, std::fabs(log_normaliser[c] - normaliser));
    for (uint32_t i = 0; i < candidates; ++i) {
      const double share = std::exp(double{logits[i * stride + c]} + bias[i] - normaliser);
      const double slope = 0.5 * share * (1 + 0.6 * normaliser) - (i == observed[c] ? 0.5 : 0);
      worst = std::max(worst, std::fabs(slope - slopes[i * stride + c]));
    }
  }
  check(worst, 1e-5, "likelihood");
}

void check_change() {
  constexpr uint32_t size = 64;
  const auto start = some(size, 5), gradient = some(size, 6);
  std::vector<float> weights = start, squares(size, 0.5f), rectified = start, back = gradient;
  kernels.adagrad({0.1f, 0.02f}, gradient.data(), weights.data(), squares.data(), size);
  kernels.rectify(rectified.data(), nullptr, size);
  kernels.unrectify(rectified.data(), 2, back.data(), size);
  double worst = 0;
  for (uint32_t i = 0; i < size; ++i) {
    const double slope = gradient[i] + 0.02 * start[i], square = 0.5 + slope * slope;
    worst = std::max({worst, std::fabs(squares[i] - square),
                      std::fabs(weights[i] - (start[i] - 0.1 * slope / (std::sqrt(square) + 1e-8))),
                      std::fabs(double{rectified[i]} - std::max(0.f, start[i])),
                      std::fabs(back[i] - (start[i] > 0 ? 2.0 * gradient[i] : 0.0))});
  }
  check(worst, 1e-5, "change of weights");
}

}  // namespace

int main() {
  check_product();
  check_logistic();
  check_likelihood();
  check_change();
  return failures;
}
