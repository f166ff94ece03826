#include "nlm/training_kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace dragoman::nlm::DRAGOMAN_KERNELS {
namespace {

#include "base/prefetch.h"
#include "nlm/float_lanes.inc"
// needs the above
#include "nlm/exponential.inc"
// needs both
#include "nlm/logistic.inc"

// Sums of a tile stay in registers: 32 of them with AVX-512, else 16.
constexpr uint32_t tile_rows = Lanes::width == 16 ? 12 : 6;
constexpr size_t rows_ahead = 8;

template <uint32_t rows, uint32_t registers>
void multiply_tile(const LeftMatrix& left, const RightMatrix& right, float* product, size_t product_stride,
                   uint32_t depth, bool add) {
  Lanes sums[rows][registers];
  for (uint32_t i = 0; i < rows; ++i)
    for (uint32_t r = 0; r < registers; ++r)
      sums[i][r] = add ? Lanes::load(product + i * product_stride + r * Lanes::width) : Lanes::zero();
  const float *from = left.values, *row = right.values;
  for (uint32_t k = 0; k < depth; ++k, from += left.step, row += right.stride) {
    // Rows lie too far apart for the processor to see what comes next.
    prefetch(row + rows_ahead * right.stride);
    if constexpr (registers * Lanes::width > float_unit) prefetch(row + rows_ahead * right.stride + float_unit);
    Lanes values[registers];
    for (uint32_t r = 0; r < registers; ++r) values[r] = Lanes::load(row + r * Lanes::width);
    for (uint32_t i = 0; i < rows; ++i) {
      const Lanes factor = Lanes::all(from[i * left.row]);
      for (uint32_t r = 0; r < registers; ++r) sums[i][r] = sums[i][r].plus_product(factor, values[r]);
    }
  }
  for (uint32_t i = 0; i < rows; ++i)
    for (uint32_t r = 0; r < registers; ++r) sums[i][r].store(product + i * product_stride + r * Lanes::width);
}

using MultiplyTile = void (*)(const LeftMatrix&, const RightMatrix&, float*, size_t, uint32_t, bool);

template <uint32_t registers, uint32_t... less>
constexpr std::array<MultiplyTile, tile_rows> tiles_of(std::integer_sequence<uint32_t, less...>) {
  return {multiply_tile<less + 1, registers>...};
}

template <uint32_t registers>
void multiply_columns(const LeftMatrix& left, const RightMatrix& right, float* product, size_t product_stride,
                      uint32_t rows, uint32_t depth, bool add) {
  static constexpr auto tiles = tiles_of<registers>(std::make_integer_sequence<uint32_t, tile_rows>());
  for (uint32_t row = 0; row < rows; row += tile_rows) {
    const MultiplyTile tile = tiles[std::min(tile_rows, rows - row) - 1];
    tile(left.from_row(row), right, product + row * product_stride, product_stride, depth, add);
  }
}

void multiply(const LeftMatrix& left, const RightMatrix& right, float* product, size_t product_stride, uint32_t rows,
              uint32_t columns, uint32_t depth, bool add) {
  for (uint32_t column = 0; column < columns;) {
    const bool two = columns - column >= 2 * Lanes::width;
    const auto part = two ? multiply_columns<2> : multiply_columns<1>;
    part(left, {right.values + column, right.stride}, product + column, product_stride, rows, depth, add);
    column += (two ? 2 : 1) * Lanes::width;
  }
}

void transpose(const float* from, size_t from_stride, uint32_t rows, uint32_t columns, float* to, size_t to_stride) {
  for (uint32_t row = 0; row < rows; row += float_unit) {
    const uint32_t many = std::min(float_unit, rows - row);
    const float* corner = from + row * from_stride;
    for (uint32_t column = 0; column < columns; ++column) {
      float* out = to + column * to_stride + row;
      if (many == float_unit)
        for (uint32_t i = 0; i < float_unit; ++i) out[i] = corner[i * from_stride + column];
      else
        for (uint32_t i = 0; i < float_unit; ++i) out[i] = i < many ? corner[i * from_stride + column] : 0;
    }
  }
}

// As many columns as registers hold beside each other.
template <uint32_t registers>
void likelihood_columns(const LogitBlock& block, uint32_t column, const Objective& objective,
                        const BlockScores& scores) {
  constexpr uint32_t width = registers * Lanes::width;
  float* const values = block.values + column;
  Lanes most[registers];
  for (uint32_t r = 0; r < registers; ++r) most[r] = Lanes::all(-1e30f);
  for (uint32_t i = 0; i < block.candidates; ++i) {
    float* row = values + i * block.stride;
    const Lanes bias = Lanes::all(block.bias[i]);
    for (uint32_t r = 0; r < registers; ++r) {
      const Lanes logit = Lanes::load(row + r * Lanes::width) + bias;
      logit.store(row + r * Lanes::width);
      most[r] = most[r].max(logit);
    }
  }
  const uint32_t filled = std::min(width, block.contexts - column);
  float top[width], total[width];
  for (uint32_t r = 0; r < registers; ++r) most[r].store(top + r * Lanes::width);
  float chosen[width];
  for (uint32_t c = 0; c < filled; ++c) chosen[c] = values[block.observed[column + c] * block.stride + c] - top[c];
  Lanes sums[registers];
  for (uint32_t r = 0; r < registers; ++r) sums[r] = Lanes::zero();
  for (uint32_t i = 0; i < block.candidates; ++i) {
    float* row = values + i * block.stride;
    for (uint32_t r = 0; r < registers; ++r) {
      const Lanes power = exponential(Lanes::load(row + r * Lanes::width) - most[r]);
      power.store(row + r * Lanes::width);
      sums[r] = sums[r] + power;
    }
  }
  for (uint32_t r = 0; r < registers; ++r) sums[r].store(total + r * Lanes::width);
  float factors[width] = {};
  for (uint32_t c = 0; c < filled; ++c) {
    const float log_total = std::log(total[c]);
    const float log_normaliser = log_total + top[c];
    scores.log_prob[column + c] = chosen[c] - log_total;
    scores.log_normaliser[column + c] = log_normaliser;
    factors[c] = objective.scale * (1 + 2 * objective.penalty * log_normaliser) / total[c];
  }
  for (uint32_t r = 0; r < registers; ++r) sums[r] = Lanes::load(factors + r * Lanes::width);
  for (uint32_t i = 0; i < block.candidates; ++i) {
    float* row = values + i * block.stride;
    for (uint32_t r = 0; r < registers; ++r)
      (Lanes::load(row + r * Lanes::width) * sums[r]).store(row + r * Lanes::width);
  }
  for (uint32_t c = 0; c < filled; ++c) values[block.observed[column + c] * block.stride + c] -= objective.scale;
}

void likelihood(const LogitBlock& block, const Objective& objective, const BlockScores& scores) {
  constexpr uint32_t registers = float_unit / Lanes::width;
  for (uint32_t column = 0; column < block.contexts;) {
    const bool two = padded(block.contexts) - column >= 2 * float_unit;
    const auto part = two ? likelihood_columns<2 * registers> : likelihood_columns<registers>;
    part(block, column, objective, scores);
    column += (two ? 2 : 1) * float_unit;
  }
}

void contrast_columns(const LogitBlock& block, uint32_t column, const float* times, float scale, float* log_prob) {
  constexpr uint32_t registers = float_unit / Lanes::width;
  float* const values = block.values + column;
  const uint32_t filled = std::min(float_unit, block.contexts - column);
  float chosen[float_unit] = {}, factors[float_unit] = {}, losses[float_unit];
  for (uint32_t c = 0; c < filled; ++c) {
    const uint32_t observed = block.observed[column + c];
    chosen[c] = -(values[observed * block.stride + c] + block.bias[observed]);
    factors[c] = scale;
  }
  Lanes totals[registers];
  for (uint32_t r = 0; r < registers; ++r) totals[r] = Lanes::zero();
  for (uint32_t i = 0; i < block.candidates; ++i) {
    float* row = values + i * block.stride;
    const Lanes bias = Lanes::all(block.bias[i]), weight = Lanes::all(times[i]);
    for (uint32_t r = 0; r < registers; ++r) {
      const Logistic told(Lanes::load(row + r * Lanes::width) + bias);
      totals[r] = totals[r].plus_product(weight, told.loss);
      (told.slope * weight * Lanes::load(factors + r * Lanes::width)).store(row + r * Lanes::width);
    }
  }
  for (uint32_t r = 0; r < registers; ++r) {
    const Logistic told(Lanes::load(chosen + r * Lanes::width));
    (totals[r] + told.loss).store(losses + r * Lanes::width);
    (told.slope * Lanes::load(factors + r * Lanes::width)).store(chosen + r * Lanes::width);
  }
  for (uint32_t c = 0; c < filled; ++c) {
    values[block.observed[column + c] * block.stride + c] -= chosen[c];
    log_prob[column + c] = -losses[c];
  }
}

void contrast(const LogitBlock& block, const float* times, float scale, float* log_prob) {
  for (uint32_t column = 0; column < block.contexts; column += float_unit)
    contrast_columns(block, column, times, scale, log_prob);
}

void logistic(float* values, float* losses, uint32_t size) {
  for (uint32_t i = 0; i < size; i += Lanes::width) {
    const Logistic told(Lanes::load(values + i));
    told.loss.store(losses + i);
    told.slope.store(values + i);
  }
}

float sum(const float* values, uint32_t count) {
  Lanes total = Lanes::zero();
  for (uint32_t i = 0; i < count; i += Lanes::width) total = total + Lanes::load(values + i);
  return total.sum();
}

void add_products(const float* start, const Product* products, uint32_t count, float* sum, uint32_t size) {
  for (uint32_t i = 0; i < size; i += Lanes::width) {
    Lanes total = Lanes::load(start + i);
    for (uint32_t k = 0; k < count; ++k)
      total = total.plus_product(Lanes::load(products[k].values + i), Lanes::load(products[k].factors + i));
    total.store(sum + i);
  }
}

void add_rows(const RightMatrix& rows, const uint32_t* chosen, uint32_t count, float* sum, uint32_t size, bool add) {
  constexpr uint32_t width = float_unit / Lanes::width;
  for (uint32_t i = 0; i < size; i += float_unit) {
    Lanes totals[width];
    for (uint32_t r = 0; r < width; ++r) totals[r] = add ? Lanes::load(sum + i + r * Lanes::width) : Lanes::zero();
    for (uint32_t k = 0; k < count; ++k) {
      const float* row = rows.values + chosen[k] * rows.stride + i;
      for (uint32_t r = 0; r < width; ++r) totals[r] = totals[r] + Lanes::load(row + r * Lanes::width);
    }
    for (uint32_t r = 0; r < width; ++r) totals[r].store(sum + i + r * Lanes::width);
  }
}

// A few rows at a time, so that none waits for its own sums.
template <uint32_t rows>
void dots_at_once(const RightMatrix& table, const uint32_t* chosen, const float* vector, float* products,
                  uint32_t size) {
  Lanes totals[rows];
  for (uint32_t k = 0; k < rows; ++k) totals[k] = Lanes::zero();
  for (uint32_t i = 0; i < size; i += Lanes::width) {
    const Lanes values = Lanes::load(vector + i);
    for (uint32_t k = 0; k < rows; ++k)
      totals[k] = totals[k].plus_product(values, Lanes::load(table.values + chosen[k] * table.stride + i));
  }
  for (uint32_t k = 0; k < rows; ++k) products[k] = totals[k].sum();
}

void dots(const RightMatrix& rows, const uint32_t* chosen, uint32_t count, const float* vector, float* products,
          uint32_t size) {
  uint32_t k = 0;
  for (; k + 4 <= count; k += 4) dots_at_once<4>(rows, chosen + k, vector, products + k, size);
  for (; k < count; ++k) dots_at_once<1>(rows, chosen + k, vector, products + k, size);
}

void add_scaled_rows(const ScaledRows& rows, float* sum, uint32_t size, bool add) {
  constexpr uint32_t width = float_unit / Lanes::width;
  for (uint32_t i = 0; i < size; i += float_unit) {
    Lanes totals[width];
    for (uint32_t r = 0; r < width; ++r) totals[r] = add ? Lanes::load(sum + i + r * Lanes::width) : Lanes::zero();
    for (uint32_t k = 0; k < rows.count; ++k) {
      const float* row = rows.table.values + rows.chosen[k] * rows.table.stride + i;
      const Lanes factor = Lanes::all(rows.factors[k]);
      for (uint32_t r = 0; r < width; ++r)
        totals[r] = totals[r].plus_product(factor, Lanes::load(row + r * Lanes::width));
    }
    for (uint32_t r = 0; r < width; ++r) totals[r].store(sum + i + r * Lanes::width);
  }
}

void rectify(float* values, const float* kept, uint32_t size) {
  for (uint32_t i = 0; i < size; i += Lanes::width) {
    const Lanes positive = Lanes::load(values + i).max(Lanes::zero());
    (kept ? positive * Lanes::load(kept + i) : positive).store(values + i);
  }
}

void unrectify(const float* output, float factor, float* gradient, uint32_t size) {
  const Lanes by = Lanes::all(factor);
  for (uint32_t i = 0; i < size; i += Lanes::width)
    (Lanes::load(gradient + i) * by).where_positive(Lanes::load(output + i)).store(gradient + i);
}

void adagrad(const AdaGradStep& step, const float* gradient, float* weights, float* squares, uint32_t size) {
  const Lanes rate = Lanes::all(-step.rate), pull = Lanes::all(step.pull), least = Lanes::all(1e-8f);
  for (uint32_t i = 0; i < size; i += Lanes::width) {
    const Lanes weight = Lanes::load(weights + i);
    const Lanes slope = Lanes::load(gradient + i).plus_product(weight, pull);
    const Lanes square = Lanes::load(squares + i).plus_product(slope, slope);
    square.store(squares + i);
    weight.plus_product(rate, slope / (square.root() + least)).store(weights + i);
  }
}

}  // namespace

extern const TrainingKernels training_table;
const TrainingKernels training_table{multiply, transpose, likelihood,      contrast, logistic,  sum,    add_products,
                                     add_rows, dots,      add_scaled_rows, rectify,  unrectify, adagrad};

}  // namespace dragoman::nlm::DRAGOMAN_KERNELS
