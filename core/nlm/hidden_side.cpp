#include "nlm/hidden_side.h"

#include <algorithm>
#include <span>

namespace dragoman::nlm {
namespace {

// Rows, words or weights that a thread takes at a time.
constexpr uint32_t rows_at_once = 128, words_at_once = 16, matrix_rows_at_once = 48;

size_t units_of(size_t items, size_t at_once) { return (items + at_once - 1) / at_once; }

}  // namespace

HiddenSide::HiddenSide(ParameterTable& vectors, ParameterTable& context, uint32_t places)
    : vectors_(vectors), context_(context), places_(places) {}

size_t HiddenSide::plan_diagonal(const Occurrences& occurrences, size_t threads) {
  units_ = units_of(occurrences.words().size(), words_at_once);
  // Of every unit its part of the diagonals' gradient, so that the sum has one order.
  const size_t parts = units_ * places_ * vectors_.stride;
  if (partial_.size() < parts) partial_.resize(parts);
  scratch_.resize(threads * 2 * vectors_.stride);
  return units_;
}

void HiddenSide::change_vectors(size_t unit, size_t thread, const Occurrences& occurrences, const HiddenRows& hidden,
                                const TrainingRates& rates) {
  const TrainingKernels& kernels = training_kernels();
  const std::vector<WordId>& words = occurrences.words();
  const size_t stride = hidden.stride, part_size = places_ * stride;
  float *summed = scratch_.data() + thread * 2 * stride, *of_word = summed + stride;
  float* const of_context = partial_.data() + unit * part_size;
  std::fill_n(of_context, part_size, 0.f);
  const RightMatrix gradients{hidden.gradient.data(), stride};
  for (size_t i = unit * words_at_once; i < std::min(words.size(), (unit + 1) * words_at_once); ++i) {
    std::fill_n(of_word, stride, 0.f);
    for (uint32_t place = 0; place < places_; ++place) {
      const auto rows = occurrences.rows(i, place);
      if (rows.empty()) continue;
      kernels.add_rows(gradients, rows.data(), static_cast<uint32_t>(rows.size()), summed, hidden.stride, false);
      const Product to_word{summed, context_.row(place)}, to_context{summed, vectors_.row(words[i])};
      kernels.add_products(of_word, &to_word, 1, of_word, hidden.stride);
      float* sum = of_context + place * stride;
      kernels.add_products(sum, &to_context, 1, sum, hidden.stride);
    }
    kernels.adagrad({rates.rate, rates.pull}, of_word, vectors_.row(words[i]), vectors_.squares_of(words[i]),
                    hidden.stride);
  }
}

void HiddenSide::change_diagonal(uint32_t place, const TrainingRates& rates) {
  const size_t stride = vectors_.stride, part_size = places_ * stride;
  if (!units_) return;
  float* const sum = partial_.data() + place * stride;
  for (size_t unit = 1; unit < units_; ++unit) {
    const float* more = partial_.data() + unit * part_size + place * stride;
    for (size_t i = 0; i < stride; ++i) sum[i] += more[i];
  }
  training_kernels().adagrad({rates.rate, rates.pull}, sum, context_.row(place), context_.squares_of(place),
                             vectors_.stride);
}

void HiddenSide::gather(Team& team, const std::vector<WordId>& words) {
  const size_t stride = vectors_.stride;
  for (LineVector<float>* buffer : {&gathered_, &products_, &of_vectors_})
    if (buffer->size() < words.size() * stride) buffer->resize(words.size() * stride);
  share(team, units_of(words.size(), rows_at_once), [&](size_t unit, size_t) {
    for (size_t i = unit * rows_at_once; i < std::min(words.size(), (unit + 1) * rows_at_once); ++i)
      std::copy_n(vectors_.row(words[i]), stride, gathered_.data() + i * stride);
  });
}

void HiddenSide::forward_full(Team& team, const Occurrences& occurrences, HiddenRows& hidden) {
  const TrainingKernels& kernels = training_kernels();
  const uint32_t dimension = vectors_.width, stride = hidden.stride;
  const size_t words = occurrences.words().size(), rows = occurrences.numbers().size() / places_;
  gather(team, occurrences.words());
  transposed_.resize(size_t{dimension} * stride);
  for (uint32_t place = 0; place < places_; ++place) {
    kernels.transpose(context_.row(size_t{place} * dimension), stride, dimension, dimension, transposed_.data(),
                      stride);
    share(team, units_of(words, rows_at_once), [&](size_t unit, size_t) {
      const size_t begin = unit * rows_at_once, end = std::min(words, begin + rows_at_once);
      kernels.multiply({gathered_.data() + begin * stride, stride, 1}, {transposed_.data(), stride},
                       products_.data() + begin * stride, stride, static_cast<uint32_t>(end - begin), stride, dimension,
                       false);
    });
    share(team, units_of(rows, rows_at_once), [&](size_t unit, size_t) {
      for (size_t row = unit * rows_at_once; row < std::min(rows, (unit + 1) * rows_at_once); ++row)
        kernels.add_rows({products_.data(), stride}, occurrences.numbers().data() + row * places_ + place, 1,
                         hidden.output.data() + row * stride, stride, true);
    });
  }
}

void HiddenSide::backward_full(Team& team, const Occurrences& occurrences, const HiddenRows& hidden,
                               const TrainingRates& rates) {
  const TrainingKernels& kernels = training_kernels();
  const uint32_t dimension = vectors_.width, stride = hidden.stride;
  const std::vector<WordId>& words = occurrences.words();
  const RightMatrix gradients{hidden.gradient.data(), stride};
  scratch_.resize(team.size() * matrix_rows_at_once * stride);
  for (uint32_t place = 0; place < places_; ++place) {
    float* const matrix = context_.row(size_t{place} * dimension);
    share(team, units_of(words.size(), rows_at_once), [&](size_t unit, size_t) {
      const size_t begin = unit * rows_at_once, end = std::min(words.size(), begin + rows_at_once);
      for (size_t i = begin; i < end; ++i) {
        const auto rows = occurrences.rows(i, place);
        kernels.add_rows(gradients, rows.data(), static_cast<uint32_t>(rows.size()), products_.data() + i * stride,
                         stride, false);
      }
      kernels.multiply({products_.data() + begin * stride, stride, 1}, {matrix, stride},
                       of_vectors_.data() + begin * stride, stride, static_cast<uint32_t>(end - begin), stride,
                       dimension, place > 0);
    });
    share(team, units_of(dimension, matrix_rows_at_once), [&](size_t unit, size_t thread) {
      const auto first = static_cast<uint32_t>(unit * matrix_rows_at_once);
      const uint32_t count = std::min(matrix_rows_at_once, dimension - first);
      float* of_matrix = scratch_.data() + thread * matrix_rows_at_once * stride;
      kernels.multiply({products_.data() + first, 1, stride}, {gathered_.data(), stride}, of_matrix, stride, count,
                       stride, static_cast<uint32_t>(words.size()), false);
      const size_t row = size_t{place} * dimension + first;
      kernels.adagrad({rates.rate, rates.pull}, of_matrix, context_.row(row), context_.squares_of(row), count * stride);
    });
  }
  share(team, units_of(words.size(), rows_at_once), [&](size_t unit, size_t) {
    for (size_t i = unit * rows_at_once; i < std::min(words.size(), (unit + 1) * rows_at_once); ++i)
      kernels.adagrad({rates.rate, rates.pull}, of_vectors_.data() + i * stride, vectors_.row(words[i]),
                      vectors_.squares_of(words[i]), stride);
  });
}

}  // namespace dragoman::nlm
