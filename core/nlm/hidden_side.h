// One side of the hidden layer in training: sum_j C_j q[w_j] over the places of the context, or of the source window.
//
// Gradients pass through the different words of a minibatch: of each word and place the gradients of the rows in which
// it stands there are summed first, and multiplied afterwards, once. With diagonals, the word's vector is changed at
// once; with matrices, products of all places are collected before. Linear in the rows and places, and with matrices
// D times the different words more.
#pragma once

#include <cstdint>
#include <vector>

#include "nlm/factor_layer.h"
#include "nlm/minibatch.h"
#include "nlm/shared_work.h"

namespace dragoman::nlm {

struct TrainingRates {
  float rate, pull;  // the pull is for weights that are no biases
};

class HiddenSide {
 public:
  HiddenSide(ParameterTable& vectors, ParameterTable& context, uint32_t places);

  // Adds this side to the rows of a hidden layer.
  void forward(Team& team, std::span<const WordId> contexts, HiddenRows& hidden);
  // Changes vectors and context by the gradient of what forward() added.
  void backward(Team& team, const HiddenRows& hidden, const TrainingRates& rates);

 private:
  void forward_diagonal(Team& team, std::span<const WordId> contexts, HiddenRows& hidden);
  void forward_full(Team& team, HiddenRows& hidden);
  void backward_diagonal(Team& team, const HiddenRows& hidden, const TrainingRates& rates);
  void backward_full(Team& team, const HiddenRows& hidden, const TrainingRates& rates);
  bool full() const { return context_.rows != places_; }
  void gather(Team& team);

  ParameterTable& vectors_;
  ParameterTable& context_;
  const uint32_t places_;
  Occurrences occurrences_;
  std::vector<float> gathered_, products_, of_vectors_, transposed_;
  std::vector<float> partial_, scratch_;
};

}  // namespace dragoman::nlm
