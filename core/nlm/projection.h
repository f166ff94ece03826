// From words to the hidden layer: the sum of embeddings through context matrices, and the source's part of it, which
// depends on the source position alone and is computed once for each. With full matrices a product C_j q_w costs a
// pass over the matrix, so products are kept, as many as fit (Devlin et al. 2014 precompute all of them).
#pragma once

#include <span>
#include <vector>

#include "nlm/neural_model.h"
#include "nlm/query_cache.h"

namespace dragoman::nlm {

class Projection {
 public:
  explicit Projection(const NeuralModel& model);

  // The source sentence that positions refer to from now on.
  void set_source(std::span<const WordId> source);
  // hidden = bias + contexts + source window, before the rectifier; `stride` floats. no_word adds nothing. Source
  // positions beyond the sentence are taken for the last.
  void project(const WordId* context, uint32_t source_position, float* hidden);
  // Asks for the memory that project() will read.
  void prefetch(const WordId* context) const;

 private:
  // sum += matrix of this place times the word's embedding, for full matrices.
  void add_product(const MatrixView& input, WordId word, const float* matrices, uint32_t place, float* sum);
  const float* product_of(WordId word, uint32_t place);
  const float* source_part(uint32_t position);

  const NeuralModel& model_;
  uint32_t stride_;
  std::vector<WordId> source_;
  std::vector<float> source_parts_;
  std::vector<bool> source_known_;
  VectorTable products_;  // (place, word) of full target matrices
  std::vector<float> row_, zeros_, ones_;
};

}  // namespace dragoman::nlm
