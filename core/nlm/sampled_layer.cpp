#include "nlm/sampled_layer.h"

#include <algorithm>

namespace dragoman::nlm {
namespace {

// Rows and candidates that a thread takes at a time.
constexpr size_t sampled_rows_at_once = 64, candidates_at_once = 4;

}  // namespace

SampledLayer::SampledLayer(ParameterTable& weights, ParameterTable& bias, const Noise& noise, bool first_writer)
    : weights_(weights), bias_(bias), noise_(noise), first_writer_(first_writer), width_(noise.samples() + 1) {}

void SampledLayer::train(Team& team, HiddenRows& hidden, std::span<const SampledRow> rows, const SampledStep& step,
                         std::span<float> log_probs, DirectLayer* direct) {
  candidates_.resize(rows.size() * width_);
  slopes_.resize(candidates_.size());
  firsts_.resize(rows.size());
  place_of_row_.assign(log_probs.size(), no_row);
  for (size_t i = 0; i < rows.size(); ++i) {
    firsts_[i] = rows[i].first;
    place_of_row_[rows[i].row] = static_cast<uint32_t>(i);
  }
  benches_.resize(team.size());
  for (LineVector<float>& bench : benches_) bench.resize(size_t{2} * padded(width_));
  share(team, (rows.size() + sampled_rows_at_once - 1) / sampled_rows_at_once, [&](size_t unit, size_t thread) {
    const size_t begin = unit * sampled_rows_at_once, end = std::min(rows.size(), begin + sampled_rows_at_once);
    draw(begin, end, rows, step);
    for (size_t i = begin; i < end; ++i) do_row(i, rows[i], hidden, step, log_probs, direct, benches_[thread]);
  });
  if (direct) direct->collect(team, *this);
  change(team, rows, hidden, step.rates);
}

void SampledLayer::draw(size_t begin, size_t end, std::span<const SampledRow> rows, const SampledStep& step) {
  for (size_t i = begin; i < end; ++i) {
    const SampledRow& row = rows[i];
    uint32_t* const own = candidates_.data() + i * width_;
    own[0] = row.first + row.observed;
    if (step.shared && i > begin && rows[i - 1].first == row.first)
      std::copy_n(own - width_ + 1, width_ - 1, own + 1);
    else
      noise_.draw(row.first, row.count, Random(step.seed, step.shared ? row.first : row.row), {own + 1, width_ - 1});
  }
}

void SampledLayer::do_row(size_t place, const SampledRow& row, HiddenRows& hidden, const SampledStep& step,
                          std::span<float> log_probs, const DirectLayer* direct, std::span<float> bench) {
  const TrainingKernels& kernels = training_kernels();
  const uint32_t* const own = candidates_.data() + place * width_;
  float *const margins = bench.data(), *const losses = margins + padded(width_);
  const RightMatrix table{weights_.weights.data(), weights_.stride};
  const size_t at = size_t{row.row} * hidden.stride;
  kernels.dots(table, own, width_, hidden.output.data() + at, margins, hidden.stride);
  for (uint32_t i = 0; i < width_; ++i) {
    margins[i] += bias_.weights[own[i]] - noise_.logs()[own[i]];
    if (direct) margins[i] += direct->weight(row.row, own[i] - row.first);
  }
  margins[0] = -margins[0];
  std::fill(margins + width_, losses, 0.f);
  kernels.logistic(margins, losses, padded(width_));
  float loss = 0;
  float* const slopes = slopes_.data() + place * width_;
  for (uint32_t i = 0; i < width_; ++i) {
    loss += losses[i];
    slopes[i] = (i ? step.scale : -step.scale) * margins[i];
  }
  log_probs[row.row] -= loss;
  kernels.add_scaled_rows({table, own, slopes, width_}, hidden.gradient.data() + at, hidden.stride, !first_writer_);
}

void SampledLayer::change(Team& team, std::span<const SampledRow> rows, const HiddenRows& hidden,
                          const AdaGradStep& rates) {
  const TrainingKernels& kernels = training_kernels();
  occurrences_.find(candidates_, 1, weights_.rows);
  const std::vector<WordId>& met = occurrences_.words();
  share(team, (met.size() + candidates_at_once - 1) / candidates_at_once, [&](size_t unit, size_t) {
    LineVector<float> gradient(hidden.stride), slopes;
    std::vector<uint32_t> its_rows;
    for (size_t i = unit * candidates_at_once; i < std::min(met.size(), (unit + 1) * candidates_at_once); ++i) {
      its_rows.clear();
      slopes.clear();
      float of_bias = 0;
      for (uint32_t pair : occurrences_.rows(i, 0)) {
        its_rows.push_back(rows[pair / width_].row);
        slopes.push_back(slopes_[pair]);
        of_bias += slopes_[pair];
      }
      kernels.add_scaled_rows(
          {{hidden.output.data(), hidden.stride}, its_rows.data(), slopes.data(), static_cast<uint32_t>(slopes.size())},
          gradient.data(), hidden.stride, false);
      kernels.adagrad(rates, gradient.data(), weights_.row(met[i]), weights_.squares_of(met[i]), hidden.stride);
      bias_.change(met[i], {&of_bias, 1}, {rates.rate, 0});
    }
  });
}

void SampledLayer::add_slopes(uint32_t row, std::span<const uint32_t> candidates, float* sums) const {
  const uint32_t place = place_of_row_[row];
  for (uint32_t i = 0; i < width_; ++i) {
    const uint32_t wanted = candidates_[size_t{place} * width_ + i] - firsts_[place];
    const auto at = std::ranges::lower_bound(candidates, wanted);
    if (at != candidates.end() && *at == wanted) sums[at - candidates.begin()] += slopes_[size_t{place} * width_ + i];
  }
}

}  // namespace dragoman::nlm
