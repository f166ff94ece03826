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
    : vectors_(vectors), context_(context), places_(places), occurrences_(vectors.rows) {}

void HiddenSide::forward(Team& team, std::span<const WordId> contexts, HiddenRows& hidden) {
  occurrences_.find(contexts, places_);
  if (full())
    forward_full(team, hidden);
  else
    forward_diagonal(team, contexts, hidden);
}

void HiddenSide::backward(Team& team, const HiddenRows& hidden, const TrainingRates& rates) {
  if (full())
    backward_full(team, hidden, rates);
  else
    backward_diagonal(team, hidden, rates);
}

void HiddenSide::forward_diagonal(Team& team, std::span<const WordId> contexts, HiddenRows& hidden) {
  const size_t rows = contexts.size() / places_;
  std::vector<std::vector<Product>> products(team.size(), std::vector<Product>(places_));
  share(team, units_of(rows, rows_at_once), [&](size_t unit, size_t thread) {
    std::vector<Product>& own = products[thread];
    for (size_t row = unit * rows_at_once; row < std::min(rows, (unit + 1) * rows_at_once); ++row) {
      for (uint32_t place = 0; place < places_; ++place)
        own[place] = {vectors_.row(contexts[row * places_ + place]), context_.row(place)};
      float* sum = hidden.output.data() + row * hidden.stride;
      training_kernels().add_products(sum, own.data(), places_, sum, hidden.stride);
    }
  });
}

void HiddenSide::backward_diagonal(Team& team, const HiddenRows& hidden, const TrainingRates& rates) {
  const TrainingKernels& kernels = training_kernels();
  const std::vector<WordId>& words = occurrences_.words();
  const size_t stride = hidden.stride, units = units_of(words.size(), words_at_once);
  // Of every unit its part of the diagonals' gradient, so that the sum has one order.
  const size_t part_size = places_ * stride;
  partial_.assign(units * part_size, 0);
  scratch_.resize(team.size() * 2 * stride);
  const RightMatrix gradients{hidden.gradient.data(), stride};
  share(team, units, [&](size_t unit, size_t thread) {
    float *summed = scratch_.data() + thread * 2 * stride, *of_word = summed + stride;
    float* of_context = partial_.data() + unit * part_size;
    for (size_t i = unit * words_at_once; i < std::min(words.size(), (unit + 1) * words_at_once); ++i) {
      std::fill_n(of_word, stride, 0.f);
      for (uint32_t place = 0; place < places_; ++place) {
        const auto rows = occurrences_.rows(i, place);
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
  });
  share(team, places_, [&](size_t place, size_t) {
    float* sum = partial_.data() + place * stride;
    for (size_t unit = 1; unit < units; ++unit) {
      const float* more = partial_.data() + unit * part_size + place * stride;
      for (size_t i = 0; i < stride; ++i) sum[i] += more[i];
    }
    kernels.adagrad({rates.rate, rates.pull}, sum, context_.row(place), context_.squares_of(place), hidden.stride);
  });
}

void HiddenSide::gather(Team& team) {
  const std::vector<WordId>& words = occurrences_.words();
  const size_t stride = vectors_.stride;
  for (std::vector<float>* buffer : {&gathered_, &products_, &of_vectors_})
    if (buffer->size() < words.size() * stride) buffer->resize(words.size() * stride);
  share(team, units_of(words.size(), rows_at_once), [&](size_t unit, size_t) {
    for (size_t i = unit * rows_at_once; i < std::min(words.size(), (unit + 1) * rows_at_once); ++i)
      std::copy_n(vectors_.row(words[i]), stride, gathered_.data() + i * stride);
  });
}

void HiddenSide::forward_full(Team& team, HiddenRows& hidden) {
  const TrainingKernels& kernels = training_kernels();
  const uint32_t dimension = vectors_.width, stride = hidden.stride;
  const size_t words = occurrences_.words().size(), rows = occurrences_.numbers().size() / places_;
  gather(team);
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
        kernels.add_rows({products_.data(), stride}, occurrences_.numbers().data() + row * places_ + place, 1,
                         hidden.output.data() + row * stride, stride, true);
    });
  }
}

void HiddenSide::backward_full(Team& team, const HiddenRows& hidden, const TrainingRates& rates) {
  const TrainingKernels& kernels = training_kernels();
  const uint32_t dimension = vectors_.width, stride = hidden.stride;
  const std::vector<WordId>& words = occurrences_.words();
  const RightMatrix gradients{hidden.gradient.data(), stride};
  scratch_.resize(team.size() * matrix_rows_at_once * stride);
  for (uint32_t place = 0; place < places_; ++place) {
    float* const matrix = context_.row(size_t{place} * dimension);
    share(team, units_of(words.size(), rows_at_once), [&](size_t unit, size_t) {
      const size_t begin = unit * rows_at_once, end = std::min(words.size(), begin + rows_at_once);
      for (size_t i = begin; i < end; ++i) {
        const auto rows = occurrences_.rows(i, place);
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
