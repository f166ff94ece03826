#include "align/hmm.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dragoman::align {

void Hmm::prepare(const HmmParameters& parameters, size_t states, size_t rows) {
  stride_ = pad_left + (states + 1 + state_block - 1) / state_block * state_block + pad_right;
  reached_.assign(rows * stride_, 0);
  work_.assign(work_rows * stride_, 0);
  inverse_sums_.resize(states + 1);
  for (size_t i = 0; i <= states; ++i) inverse_sums_[i] = (1 - parameters.null_share) / parameters.jumps.sum(i, states);
}

void Hmm::posteriors(const HmmParameters& parameters, size_t states, size_t steps, float* emissions,
                     const float* null_emissions, float* null_posteriors, HmmSums* sums, JumpStatistics* statistics) {
  prepare(parameters, states, steps + 1);
  scales_.resize(steps);
  const Trellis trellis{parameters, states, steps, emissions, null_emissions};
  forward(trellis, sums);
  TapSums taps = {};
  backward(trellis, null_posteriors, statistics ? &taps : nullptr);
  if (sums) add_moves(trellis, taps, *sums, statistics);
}

void Hmm::forward(const Trellis& trellis, HmmSums* sums) {
  const auto& [parameters, states, steps, emissions, null_emissions] = trellis;
  const JumpTable& jumps = parameters.jumps;
  float* const leaving = row(work_, leaving_row);
  float* const arriving = row(work_, arriving_row);
  row(reached_, 0)[0] = 1;
  for (size_t j = 0; j < steps; ++j) {
    const float* before = row(reached_, j);
    float* after = row(reached_, j + 1);
    const float* emission = emissions + j * states;
    float total = 0;
    for (size_t i = 0; i <= states; ++i) {
      leaving[i] = before[i] * inverse_sums_[i];
      total += leaving[i];
    }
    kernels_.spread(leaving, jumps.taps(), jumps.shared() * total, arriving, states + 1);
    const float null = parameters.null_share * null_emissions[j];
    after[0] = null * before[0];
    float sum = after[0];
    for (size_t i = 1; i <= states; ++i) {
      after[i] = arriving[i] * emission[i - 1] + null * before[i];
      sum += after[i];
    }
    sum = std::max(sum, 1e-35f);
    const float scale = 1 / sum;
    for (size_t i = 0; i <= states; ++i) after[i] *= scale;
    scales_[j] = scale;
    if (sums) sums->log_likelihood += std::log(sum);
  }
}

void Hmm::backward(const Trellis& trellis, float* null_posteriors, TapSums* taps) {
  const auto& [parameters, states, steps, emissions, null_emissions] = trellis;
  const JumpTable& jumps = parameters.jumps;
  float* const leaving = row(work_, leaving_row);
  float* const arriving = row(work_, arriving_row);
  float* const future = row(work_, future_row);
  float* const collected = row(work_, collected_row);
  float* const moves = row(work_, moves_row);
  for (size_t i = 0; i <= states; ++i) future[i] = 1;
  std::fill(arriving - pad_left, arriving - pad_left + stride_, 0.0f);
  for (size_t j = steps; j-- > 0;) {
    const float* before = row(reached_, j);
    const float* after = row(reached_, j + 1);
    float* emission = emissions + j * states;
    const float null = parameters.null_share * null_emissions[j] * scales_[j];
    // What the step's word adds when a position is reached by a jump.
    arriving[0] = 0;
    float total = 0, null_sum = null * before[0] * future[0];
    for (size_t i = 1; i <= states; ++i) {
      const float by_null = null * before[i];
      arriving[i] = emission[i - 1] * scales_[j] * future[i];
      total += arriving[i];
      null_sum += by_null * future[i];
      emission[i - 1] = std::max(after[i] - by_null, 0.0f) * future[i];
    }
    null_posteriors[j] = null_sum;
    kernels_.collect(arriving, jumps.taps(), jumps.shared() * total, collected, states + 1);
    for (size_t i = 0; i <= states; ++i) {
      const float moving = collected[i] * inverse_sums_[i];
      leaving[i] = before[i] * inverse_sums_[i];
      moves[i] += before[i] * moving;
      future[i] = moving + null * future[i];
    }
    if (taps) kernels_.correlate(leaving, arriving, taps->data(), states + 1);
  }
}

void Hmm::add_moves(const Trellis& trellis, const TapSums& taps, HmmSums& sums, JumpStatistics* statistics) {
  const float* const moves = row(work_, moves_row);
  double all_moves = 0;
  for (size_t i = 0; i <= trellis.states; ++i) {
    all_moves += moves[i];
    if (statistics) statistics->add_moves(trellis.states, i, moves[i]);
  }
  double near = 0;
  for (size_t tap = 0; tap < jump_taps; ++tap) {
    const float* lanes = taps.data() + tap * state_block;
    const double expected = std::accumulate(lanes, lanes + state_block, 0.0) * trellis.parameters.jumps.weights()[tap];
    sums.jumps[tap] += expected;
    near += expected;
  }
  sums.jumps[jump_taps] += std::max(0.0, all_moves - near);
}

void Hmm::viterbi(const HmmParameters& parameters, size_t states, size_t steps, const float* emissions,
                  const float* null_emissions, std::vector<int32_t>& states_of_steps) {
  prepare(parameters, states, 2);
  constexpr auto reach = static_cast<int64_t>(jump_reach);
  const auto last = static_cast<int64_t>(states);
  // How each position was reached at each step: the position before, and whether by NULL.
  std::vector<int32_t> origins(steps * (states + 1));
  std::vector<uint8_t> by_null(steps * (states + 1));
  float* before = row(reached_, 0);
  float* after = row(reached_, 1);
  float* const leaving = row(work_, leaving_row);
  before[0] = 1;
  for (size_t j = 0; j < steps; ++j) {
    int64_t best_far = 0;
    for (int64_t i = 0; i <= last; ++i) {
      leaving[i] = before[i] * inverse_sums_[i];
      if (leaving[i] > leaving[best_far]) best_far = i;
    }
    const float null = parameters.null_share * null_emissions[j];
    float largest = 0;
    for (int64_t i = 0; i <= last; ++i) {
      // A far jump from the overall best position is only admitted as such; a near one competes with its own weight.
      int64_t origin = best_far;
      float best = leaving[best_far] * parameters.jumps.weight(i - best_far);
      for (int64_t from = std::max<int64_t>(0, i - reach); from <= std::min(last, i + reach); ++from) {
        const float value = leaving[from] * parameters.jumps.weight(i - from);
        if (value > best) best = value, origin = from;
      }
      if (i - best_far >= -reach && i - best_far <= reach) {
        // The best position is near this one, so far jumps come from somewhere else; look at all of them.
        for (int64_t from = 0; from <= last; ++from) {
          const float value = leaving[from] * parameters.jumps.weight(i - from);
          if (value > best) best = value, origin = from;
        }
      }
      best *= i == 0 ? 0 : emissions[j * states + i - 1];
      const float stay = null * before[i];
      const bool nulled = stay > best || i == 0;
      after[i] = nulled ? stay : best;
      by_null[j * (states + 1) + i] = nulled;
      origins[j * (states + 1) + i] = static_cast<int32_t>(nulled ? i : origin);
      largest = std::max(largest, after[i]);
    }
    const float scale = 1 / std::max(largest, 1e-35f);
    for (int64_t i = 0; i <= last; ++i) before[i] = after[i] * scale;
  }
  states_of_steps.assign(steps, -1);
  int64_t at = std::max_element(before, before + states + 1) - before;
  for (size_t j = steps; j-- > 0;) {
    if (!by_null[j * (states + 1) + at]) states_of_steps[j] = static_cast<int32_t>(at - 1);
    at = origins[j * (states + 1) + at];
  }
}

}  // namespace dragoman::align
