#include "nlm/factor_layer.h"

#include <algorithm>

namespace dragoman::nlm {
namespace {

// Logits of a part, and weights of a tile, are to stay in a core's own cache.
constexpr uint32_t most_part_rows = 128;
constexpr uint32_t most_part_logits = 1 << 17;
constexpr uint32_t most_tile_rows = 48;
// Slopes that are kept at once, unless those of the least rows are more.
constexpr size_t most_slopes = size_t{1} << 24;

// A multiple of float_unit.
uint32_t part_rows(uint32_t candidates) {
  return std::clamp(most_part_logits / candidates / float_unit * float_unit, float_unit, most_part_rows);
}

size_t slopes_of(const Factor& factor) { return size_t{factor.count} * padded(factor.end - factor.begin); }

}  // namespace

void add_in_blocks(std::vector<Factor>& factors, const Factor& factor) {
  const auto rows =
      static_cast<uint32_t>(std::max<size_t>(float_unit, most_slopes / factor.count / float_unit * float_unit));
  for (uint32_t begin = factor.begin; begin < factor.end;) {
    const uint32_t end = factor.end - begin > rows ? begin + rows : factor.end;
    factors.push_back({factor.first, factor.count, begin, end, begin == factor.begin, end == factor.end});
    begin = end;
  }
}

FactorLayer::FactorLayer(ParameterTable& weights, ParameterTable& bias, bool first_writer)
    : weights_(weights), bias_(bias), first_writer_(first_writer) {}

size_t FactorLayer::plan(std::span<const Factor> factors, size_t threads) {
  taken_.clear();
  parts_.clear();
  tiles_.clear();
  part_of_row_.clear();
  rows_begin_ = factors.empty() ? 0 : factors[0].begin;
  size_t slopes = 0;
  for (const Factor& factor : factors) {
    if (!taken_.empty() && slopes + slopes_of(factor) > most_slopes) break;
    const auto parts_begin = static_cast<uint32_t>(parts_.size()), number = static_cast<uint32_t>(taken_.size());
    add_parts(factor, slopes);
    for (uint32_t first = 0; first < factor.count; first += most_tile_rows)
      tiles_.push_back({number, first, std::min(most_tile_rows, factor.count - first)});
    taken_.push_back({factor, parts_begin, static_cast<uint32_t>(parts_.size())});
    if (factor.is_first && factor.is_last) continue;
    // Its weights are changed when the last of its blocks is done, so it comes by itself.
    block_gradient_.resize(size_t{factor.count} * weights_.stride);
    block_of_bias_.resize(factor.count);
    break;
  }
  if (slopes_.size() < slopes) slopes_.resize(slopes);
  benches_.resize(threads);
  for (Bench& bench : benches_) {
    bench.transposed.resize(size_t{weights_.width} * most_part_rows);
    bench.gradient.resize(size_t{most_tile_rows} * weights_.stride);
    bench.of_bias.resize(most_tile_rows);
  }
  return taken_.size();
}

void FactorLayer::add_parts(const Factor& factor, size_t& slopes) {
  const uint32_t step = part_rows(factor.count);
  for (uint32_t begin = factor.begin; begin < factor.end; begin += step) {
    const uint32_t end = std::min(begin + step, factor.end);
    // Rows between factors, which have nothing to learn here, are no part's.
    part_of_row_.resize(begin - rows_begin_, no_row);
    part_of_row_.resize(end - rows_begin_, static_cast<uint32_t>(parts_.size()));
    parts_.push_back({static_cast<uint32_t>(taken_.size()), begin, end, slopes});
    slopes += size_t{factor.count} * padded(end - begin);
  }
}

void FactorLayer::do_part(size_t number, size_t thread, HiddenRows& hidden, const FactorTarget& target) {
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
  if (target.direct)
    for (uint32_t row = 0; row < rows; ++row) target.direct->add_to(part.begin + row, logits + row, columns);
  set_slopes(part, factor, logits, benches_[thread], target);
  if (target.objective.scale == 0) return;
  kernels.multiply({logits, 1, columns}, {weights, stride}, hidden.gradient.data() + size_t{part.begin} * stride,
                   stride, rows, stride, factor.count, !first_writer_);
}

void FactorLayer::set_slopes(const Part& part, const Factor& factor, float* logits, Bench& bench,
                             const FactorTarget& target) {
  const TrainingKernels& kernels = training_kernels();
  LogitBlock block{logits,
                   padded(part.end - part.begin),
                   factor.count,
                   part.end - part.begin,
                   bias_.weights.data() + factor.first,
                   target.observed.data() + part.begin};
  float* const log_probs = target.log_probs.data() + part.begin;
  if (!target.log_noise) {
    kernels.likelihood(block, target.objective, {log_probs, target.log_normalisers.data() + part.begin});
    return;
  }
  bench.offsets.resize(factor.count);
  for (uint32_t i = 0; i < factor.count; ++i) bench.offsets[i] = block.bias[i] - target.log_noise[factor.first + i];
  block.bias = bench.offsets.data();
  kernels.contrast(block, target.times + factor.first, target.objective.scale, log_probs);
}

void FactorLayer::do_tile(size_t number, size_t thread, const HiddenRows& hidden, const AdaGradStep& step) {
  const TrainingKernels& kernels = training_kernels();
  const Tile& tile = tiles_[number];
  const Taken& taken = taken_[tile.factor];
  const Factor& factor = taken.factor;
  const uint32_t stride = hidden.stride;
  const bool in_blocks = !factor.is_first || !factor.is_last;
  Bench& bench = benches_[thread];
  float* const gradient = in_blocks ? block_gradient_.data() + size_t{tile.first} * stride : bench.gradient.data();
  float* const of_bias = in_blocks ? block_of_bias_.data() + tile.first : bench.of_bias.data();
  if (factor.is_first) std::fill_n(of_bias, tile.count, 0.f);
  for (uint32_t p = taken.parts_begin; p < taken.parts_end; ++p) {
    const Part& part = parts_[p];
    const uint32_t rows = part.end - part.begin, columns = padded(rows);
    const float* slopes = slopes_.data() + part.slopes + size_t{tile.first} * columns;
    kernels.multiply({slopes, columns, 1}, {hidden.output.data() + size_t{part.begin} * stride, stride}, gradient,
                     stride, tile.count, stride, rows, p != taken.parts_begin || !factor.is_first);
    for (uint32_t i = 0; i < tile.count; ++i) of_bias[i] += kernels.sum(slopes + size_t{i} * columns, columns);
  }
  if (!factor.is_last) return;
  const uint32_t first = factor.first + tile.first;
  kernels.adagrad(step, gradient, weights_.row(first), weights_.squares_of(first), tile.count * stride);
  bias_.change(first, {of_bias, tile.count}, {step.rate, 0});
}

void FactorLayer::add_slopes(uint32_t row, std::span<const uint32_t> candidates, float* sums) const {
  const Part& part = parts_[part_of_row_[row - rows_begin_]];
  const size_t columns = padded(part.end - part.begin);
  const float* const slopes = slopes_.data() + part.slopes + (row - part.begin);
  for (size_t i = 0; i < candidates.size(); ++i) sums[i] += slopes[candidates[i] * columns];
}

}  // namespace dragoman::nlm
