// What a trained model says about one sentence pair: posteriors of every cell in both directions, and the links that
// follow from them.
#pragma once

#include <string_view>

#include "align/diagonal.h"
#include "align/hmm.h"
#include "align/pair_matrix.h"
#include "base/link.h"

namespace dragoman::align {

enum class ModelKind : uint32_t { ibm1, diagonal, hmm, agreement };

// Throws ConfigError that names the choices.
ModelKind model_named(std::string_view name);
std::string_view model_name(ModelKind kind);

// How the links of one direction are chosen: the most probable alignment as a whole, or each word's most probable
// generator.
enum class Decoding { posterior, viterbi };
Decoding decoding_named(std::string_view name);

// Everything but the translation table, for both directions.
struct ModelParameters {
  ModelKind kind = ModelKind::agreement;
  HmmParameters hmm_forward, hmm_backward;
  DiagonalParameters diagonal_forward, diagonal_backward;
};

// Sums of one shard, for the M-step of these parameters.
struct ModelSums {
  HmmSums hmm_forward, hmm_backward;
  DiagonalSums diagonal_forward, diagonal_backward;
  double log_likelihood = 0;
};

// Scratch space for one thread.
class Inference {
 public:
  // Sums and statistics may be null. The agreement model (Liang et al. 2006) multiplies both directions' posteriors
  // only while training, see agree().
  void posteriors(const ModelParameters& parameters, PairMatrix& matrix, ModelSums* sums,
                  JumpStatistics* forward_statistics, JumpStatistics* backward_statistics);

  // From probabilities, not posteriors, which it destroys.
  void links(const ModelParameters& parameters, Decoding decoding, PairMatrix& matrix, Links& forward, Links& backward);

 private:
  void transpose(const float* from, size_t rows, size_t columns, float* to) const;

  Hmm hmm_;
  Diagonal diagonal_;
  std::vector<float> transposed_;
  std::vector<float> null_;
  std::vector<float> sums_;
  std::vector<int32_t> path_;
};

// A link is counted as far as both directions believe in it; what is left of a word goes to NULL.
void agree(PairMatrix& matrix);

}  // namespace dragoman::align
