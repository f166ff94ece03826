#include "align/inference.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/choices.h"
#include "base/errors.h"

namespace dragoman::align {
namespace {

constexpr Choice<ModelKind> model_names[] = {
    {"agreement", ModelKind::agreement},
    {"hmm", ModelKind::hmm},
    {"diagonal", ModelKind::diagonal},
    {"ibm1", ModelKind::ibm1},
};

void ibm1_posteriors(PairMatrix& matrix, std::vector<float>& sums, double* log_likelihood) {
  const size_t sources = matrix.source_words, targets = matrix.target_words;
  double total = 0;
  sums.assign(matrix.null_forward, matrix.null_forward + targets);
  for (size_t i = 0; i < sources; ++i)
    for (size_t j = 0; j < targets; ++j) sums[j] += matrix.forward[i * targets + j];
  for (size_t j = 0; j < targets; ++j) {
    sums[j] = std::max(sums[j], 1e-35f);
    total += std::log(sums[j] / static_cast<float>(sources + 1));
    sums[j] = 1 / sums[j];
    matrix.null_forward[j] *= sums[j];
  }
  for (size_t i = 0; i < sources; ++i) {
    for (size_t j = 0; j < targets; ++j) matrix.forward[i * targets + j] *= sums[j];
    float* row = matrix.backward + i * targets;
    float sum = matrix.null_backward[i];
    for (size_t j = 0; j < targets; ++j) sum += row[j];
    sum = std::max(sum, 1e-35f);
    total += std::log(sum / static_cast<float>(targets + 1));
    const float scale = 1 / sum;
    for (size_t j = 0; j < targets; ++j) row[j] *= scale;
    matrix.null_backward[i] *= scale;
  }
  if (log_likelihood) *log_likelihood += total;
}

}  // namespace

ModelKind model_named(std::string_view name) { return choose(model_names, "model", name); }

std::string_view model_name(ModelKind kind) { return chosen_name(model_names, kind); }

Decoding decoding_named(std::string_view name) {
  static constexpr Choice<Decoding> decodings[] = {{"posterior", Decoding::posterior}, {"viterbi", Decoding::viterbi}};
  return choose(decodings, "decoding", name);
}

void Inference::transpose(const float* from, size_t rows, size_t columns, float* to) const {
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c) to[c * rows + r] = from[r * columns + c];
}

void Inference::posteriors(const ModelParameters& parameters, PairMatrix& matrix, ModelSums* sums,
                           JumpStatistics* forward_statistics, JumpStatistics* backward_statistics) {
  const size_t sources = matrix.source_words, targets = matrix.target_words;
  if (parameters.kind == ModelKind::ibm1) {
    ibm1_posteriors(matrix, sums_, sums ? &sums->log_likelihood : nullptr);
    return;
  }
  // The forward direction generates target words, so its rows must be target words; the backward one lies as needed.
  transposed_.resize(matrix.cells());
  transpose(matrix.forward, sources, targets, transposed_.data());
  if (parameters.kind == ModelKind::diagonal) {
    diagonal_.posteriors(parameters.diagonal_forward, sources, targets, transposed_.data(), matrix.null_forward,
                         sums ? &sums->diagonal_forward : nullptr);
    diagonal_.posteriors(parameters.diagonal_backward, targets, sources, matrix.backward, matrix.null_backward,
                         sums ? &sums->diagonal_backward : nullptr);
  } else {
    null_.assign(matrix.null_forward, matrix.null_forward + targets);
    hmm_.posteriors(parameters.hmm_forward, sources, targets, transposed_.data(), null_.data(), matrix.null_forward,
                    sums ? &sums->hmm_forward : nullptr, forward_statistics);
    null_.assign(matrix.null_backward, matrix.null_backward + sources);
    hmm_.posteriors(parameters.hmm_backward, targets, sources, matrix.backward, null_.data(), matrix.null_backward,
                    sums ? &sums->hmm_backward : nullptr, backward_statistics);
  }
  transpose(transposed_.data(), targets, sources, matrix.forward);
}

void Inference::links(const ModelParameters& parameters, Decoding decoding, PairMatrix& matrix, Links& forward,
                      Links& backward) {
  const size_t sources = matrix.source_words, targets = matrix.target_words;
  forward.clear();
  backward.clear();
  auto link = [](size_t source, size_t target) {
    return Link{static_cast<uint16_t>(source), static_cast<uint16_t>(target)};
  };
  const bool chained = parameters.kind == ModelKind::hmm || parameters.kind == ModelKind::agreement;
  if (decoding == Decoding::viterbi && chained) {
    transposed_.resize(matrix.cells());
    transpose(matrix.forward, sources, targets, transposed_.data());
    hmm_.viterbi(parameters.hmm_forward, sources, targets, transposed_.data(), matrix.null_forward, path_);
    for (size_t j = 0; j < targets; ++j)
      if (path_[j] >= 0) forward.push_back(link(path_[j], j));
    hmm_.viterbi(parameters.hmm_backward, targets, sources, matrix.backward, matrix.null_backward, path_);
    for (size_t i = 0; i < sources; ++i)
      if (path_[i] >= 0) backward.push_back(link(i, path_[i]));
    return;
  }
  posteriors(parameters, matrix, nullptr, nullptr, nullptr);
  for (size_t j = 0; j < targets; ++j) {
    size_t best = sources;
    float most = matrix.null_forward[j];
    for (size_t i = 0; i < sources; ++i)
      if (matrix.forward[i * targets + j] > most) most = matrix.forward[i * targets + j], best = i;
    if (best < sources) forward.push_back(link(best, j));
  }
  for (size_t i = 0; i < sources; ++i) {
    const float* row = matrix.backward + i * targets;
    const size_t best = std::max_element(row, row + targets) - row;
    if (row[best] > matrix.null_backward[i]) backward.push_back(link(i, best));
  }
}

void agree(PairMatrix& matrix) {
  const size_t sources = matrix.source_words, targets = matrix.target_words;
  std::fill_n(matrix.null_forward, targets, 1.0f);
  for (size_t i = 0; i < sources; ++i) {
    float* forward = matrix.forward + i * targets;
    float* backward = matrix.backward + i * targets;
    float sum = 0;
    for (size_t j = 0; j < targets; ++j) {
      forward[j] = backward[j] = forward[j] * backward[j];
      matrix.null_forward[j] -= forward[j];
      sum += forward[j];
    }
    matrix.null_backward[i] = std::max(0.0f, 1 - sum);
  }
  for (size_t j = 0; j < targets; ++j) matrix.null_forward[j] = std::max(0.0f, matrix.null_forward[j]);
}

}  // namespace dragoman::align
