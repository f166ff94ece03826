// The hidden Markov model of word alignment (Vogel et al. 1996, thesis section 2.2) with NULL after Och and Ney
// (2003): a generated word comes from NULL with a fixed share and leaves the position as it was, or from the position
// that a jump reaches. The position and "NULL, last at that position" have the same future, so both live in one
// vector; the band of near jumps is a filter of 25 taps over it and the far ones one constant, which makes a pass
// O(words x states x taps) in wide registers rather than quadratic in the states.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "align/jumps.h"
#include "align/kernels.h"

namespace dragoman::align {

// One direction's parameters besides the translation table.
struct HmmParameters {
  JumpTable jumps;
  float null_share = 0.1f;
};

// Sums of one shard.
struct HmmSums {
  std::vector<double> jumps = std::vector<double>(jump_taps + 1);
  double log_likelihood = 0;
};

// Scratch space and both algorithms for one direction of one pair. `emissions` is steps x states, row by generated
// word; null_emissions has one value per step.
class Hmm {
 public:
  Hmm() : kernels_(align_kernels()) {}

  // Forward-backward: emissions become posteriors, null_posteriors gets NULL's. With statistics, expected moves are
  // added to them and to the sums.
  void posteriors(const HmmParameters& parameters, size_t states, size_t steps, float* emissions,
                  const float* null_emissions, float* null_posteriors, HmmSums* sums, JumpStatistics* statistics);

  // The most probable alignment: for each step a state from 0, or -1 for NULL.
  void viterbi(const HmmParameters& parameters, size_t states, size_t steps, const float* emissions,
               const float* null_emissions, std::vector<int32_t>& states_of_steps);

 private:
  // A row of states with padding; entry 0 is the sentence start, 1..states the words.
  float* row(std::vector<float>& rows, size_t index) { return rows.data() + index * stride_ + pad_left; }
  void prepare(const HmmParameters& parameters, size_t states, size_t rows);

  // What forward-backward is given.
  struct Trellis {
    const HmmParameters& parameters;
    size_t states, steps;
    float* emissions;
    const float* null_emissions;
  };
  // Expected jumps of each tap, in as many lanes as kernels add at once.
  using TapSums = std::array<float, jump_taps * state_block>;
  enum WorkRow : size_t { leaving_row, arriving_row, future_row, collected_row, moves_row, work_rows };

  // reached[0] is the start; reached[j + 1] is after the j-th generated word, scaled to sum to 1.
  void forward(const Trellis& trellis, HmmSums* sums);
  // future[i] is the probability of the words after step j from position i, scaled alike; moves[i] adds up the jumps
  // away from there.
  void backward(const Trellis& trellis, float* null_posteriors, TapSums* taps);
  void add_moves(const Trellis& trellis, const TapSums& taps, HmmSums& sums, JumpStatistics* statistics);

  const AlignKernels& kernels_;
  size_t stride_ = 0;
  std::vector<float> reached_;  // steps + 1 rows: forward probability of being at a position, by word or by NULL
  std::vector<float> inverse_sums_;
  std::vector<float> scales_;
  std::vector<float> work_;  // padded rows
};

}  // namespace dragoman::align
