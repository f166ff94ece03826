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

  bool full() const { return context_.rows != places_; }
  uint32_t places() const { return places_; }
  // What a diagonal side adds to a row: the products of the words in its contexts.
  void list_products(const WordId* contexts, Product* products) const {
    for (uint32_t place = 0; place < places_; ++place)
      products[place] = {vectors_.row(contexts[place]), context_.row(place)};
  }
  // Adds a full side to the rows of a hidden layer.
  void forward_full(Team& team, const Occurrences& occurrences, HiddenRows& hidden);

  // Changes the vectors of a diagonal side by the gradient of what it added, in units that need `threads` benches;
  // then, place by place, its context.
  size_t plan_diagonal(const Occurrences& occurrences, size_t threads);
  void change_vectors(size_t unit, size_t thread, const Occurrences& occurrences, const HiddenRows& hidden,
                      const TrainingRates& rates);
  void change_diagonal(uint32_t place, const TrainingRates& rates);
  // Both of a full side.
  void backward_full(Team& team, const Occurrences& occurrences, const HiddenRows& hidden, const TrainingRates& rates);

 private:
  void gather(Team& team, const std::vector<WordId>& words);

  ParameterTable& vectors_;
  ParameterTable& context_;
  const uint32_t places_;
  size_t units_ = 0;
  LineVector<float> gathered_, products_, of_vectors_, transposed_;
  LineVector<float> partial_, scratch_;
};

}  // namespace dragoman::nlm
