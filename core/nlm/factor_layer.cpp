#include "nlm/factor_layer.h"

#include <algorithm>

namespace dragoman::nlm {
namespace {

// Logits of a part, and weights of a tile, are to stay in a core's own cache.
constexpr uint32_t most_part_rows = 128;
constexpr uint32_t most_part_logits = 1 << 17;
constexpr uint32_t most_tile_rows = 48;
// Slopes that are kept at once, unless one factor has more.
constexpr size_t most_slopes = size_t{1} << 24;

// A multiple of float_unit.
uint32_t part_rows(uint32_t candidates) {
  return std::clamp(most_part_logits / candidates / float_unit * float_unit, float_unit, most_part_rows);
}

size_t slopes_of(const Factor& factor) { return size_t{factor.count} * padded(factor.end - factor.begin); }

}  // namespace

FactorLayer::FactorLayer(ParameterTable& weights, ParameterTable& bias, bool first_writer)
    : weights_(weights), bias_(bias), first_writer_(first_writer) {}

size_t FactorLayer::plan(std::span<const Factor> factors, size_t threads) {
  taken_.clear();
  parts_.clear();
  tiles_.clear();
  size_t slopes = 0;
  for (const Factor& factor : factors) {
    if (!taken_.empty() && slopes + slopes_of(factor) > most_slopes) break;
    const auto number = static_cast<uint32_t>(taken_.size());
    const auto parts_begin = static_cast<uint32_t>(parts_.size());
    const uint32_t step = part_rows(factor.count);
    for (uint32_t begin = factor.begin; begin < factor.end; begin += step) {
      const uint32_t end = std::min(begin + step, factor.end);
      parts_.push_back({number, begin, end, slopes});
      slopes += size_t{factor.count} * padded(end - begin);
    }
    for (uint32_t first = 0; first < factor.count; first += most_tile_rows)
      tiles_.push_back({number, first, std::min(most_tile_rows, factor.count - first)});
    taken_.push_back({factor, parts_begin, static_cast<uint32_t>(parts_.size())});
  }
  if (slopes_.size() < slopes) slopes_.resize(slopes);
  benches_.resize(threads);
  for (Bench& bench : benches_) {
    bench.transposed.resize(size_t{weights_.width} * most_part_rows);
    bench.gradient.resize(size_t{most_tile_rows} * weights_.stride);
    bench.of_bias.resize(padded(most_tile_rows));
  }
  return taken_.size();
}

void FactorLayer::do_part(size_t number, size_t thread, HiddenRows& hidden, std::span<const uint32_t> observed,
                          const Objective& objective, std::span<float> log_probs, std::span<float> log_normalisers) {
  const TrainingKernels& kernels = training_kernels();
  const Part& part = parts_[number];
  const Factor& factor = taken_[part.factor].factor;
  const uint32_t rows = part.end - part.begin, columns = padded(rows), stride = hidden.stride;
  float* const logits = slopes_.data() + part.slopes;
  float* const transposed = benches_[thread].transposed.data();
  const float* const weights = weights_.row(factor.first);
  kernels.transpose(hidden.output.data() + size_t{part.begin} * stride, stride, rows, weights_.width, transposed,
                    columns);
  kernels.multiply({weights, stride, 1}, {transposed, columns}, logits, columns, factor.count, columns, weights_.width,
                   false);
  const LogitBlock block{
      logits, columns, factor.count, rows, bias_.weights.data() + factor.first, observed.data() + part.begin};
  kernels.likelihood(block, objective, {log_probs.data() + part.begin, log_normalisers.data() + part.begin});
  if (objective.scale == 0) return;
  kernels.multiply({logits, 1, columns}, {weights, stride}, hidden.gradient.data() + size_t{part.begin} * stride,
                   stride, rows, stride, factor.count, !first_writer_);
}

void FactorLayer::do_tile(size_t number, size_t thread, const HiddenRows& hidden, float rate, float pull) {
  const TrainingKernels& kernels = training_kernels();
  const Tile& tile = tiles_[number];
  const Taken& taken = taken_[tile.factor];
  const uint32_t stride = hidden.stride;
  Bench& bench = benches_[thread];
  std::ranges::fill(bench.of_bias, 0.f);
  for (uint32_t p = taken.parts_begin; p < taken.parts_end; ++p) {
    const Part& part = parts_[p];
    const uint32_t rows = part.end - part.begin, columns = padded(rows);
    const float* slopes = slopes_.data() + part.slopes + size_t{tile.first} * columns;
    kernels.multiply({slopes, columns, 1}, {hidden.output.data() + size_t{part.begin} * stride, stride},
                     bench.gradient.data(), stride, tile.count, stride, rows, p != taken.parts_begin);
    for (uint32_t i = 0; i < tile.count; ++i) bench.of_bias[i] += kernels.sum(slopes + size_t{i} * columns, columns);
  }
  const uint32_t first = taken.factor.first + tile.first;
  kernels.adagrad({rate, pull}, bench.gradient.data(), weights_.row(first), weights_.squares_of(first),
                  tile.count * stride);
  // Biases of a tile need not begin where registers do, and others stand behind them.
  float weights[padded(most_tile_rows)] = {}, squares[padded(most_tile_rows)] = {};
  std::copy_n(bias_.weights.data() + first, tile.count, weights);
  std::copy_n(bias_.squares.data() + first, tile.count, squares);
  kernels.adagrad({rate, 0}, bench.of_bias.data(), weights, squares, padded(tile.count));
  std::copy_n(weights, tile.count, bias_.weights.data() + first);
  std::copy_n(squares, tile.count, bias_.squares.data() + first);
}

}  // namespace dragoman::nlm
