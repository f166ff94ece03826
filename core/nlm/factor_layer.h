// Softmax factors of an output layer in training: P(class | h), one factor that all rows of a minibatch share, or
// P(word | class, h), one factor for each class. A factor is a stretch of rows of a table of weights and a stretch of
// rows of the minibatch.
//
// Maximum likelihood, with penalty * log^2 Z, or noise that all rows of a factor share (noise.h). Work comes in two
// kinds of units: a part is some rows of a factor, for which it computes logits, slopes and the gradient of the hidden
// layer; a tile is some weights of a factor, for which it sums the gradient over all rows and changes them at once, so
// that no gradient of a table is stored, unless a factor has so many candidates that it comes in blocks of rows: then
// that of its weights. Six multiplications and additions per row, candidate and dimension.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/line_vector.h"
#include "nlm/direct_layer.h"
#include "nlm/format.h"
#include "nlm/parameter_table.h"

namespace dragoman::nlm {

struct Factor {
  uint32_t first, count;                 // weights
  uint32_t begin, end;                   // rows of the minibatch
  bool is_first = true, is_last = true;  // of the blocks of one factor
};

// Adds a factor to a list, in blocks of rows whose slopes take a bounded memory.
void add_in_blocks(std::vector<Factor>& factors, const Factor& factor);

// The hidden layer of a minibatch and its gradient, row after row.
struct HiddenRows {
  LineVector<float> output, gradient;
  uint32_t stride = 0;

  void resize(uint32_t rows, uint32_t width) {
    stride = padded(width);
    output.resize(size_t{rows} * stride);
    gradient.resize(size_t{rows} * stride);
  }
};

// What the rows of a minibatch are to learn of a layer, and where their scores go.
struct FactorTarget {
  std::span<const uint32_t> observed;  // by row: which candidate of its factor
  Objective objective;                 // with a scale of 0 there are scores alone
  std::span<float> log_probs, log_normalisers;
  const DirectLayer* direct = nullptr;
  // Of noise, by row of the table: ln(samples * P), and how often each comes. Likelihood has none.
  const float *log_noise = nullptr, *times = nullptr;
};

class FactorLayer {
 public:
  // `first_writer`: of the layers that share a hidden layer, the one whose gradient is stored and not added.
  FactorLayer(ParameterTable& weights, ParameterTable& bias, bool first_writer);

  // Takes as many of the factors as there is room for, at least one; returns how many.
  size_t plan(std::span<const Factor> factors, size_t threads);

  size_t parts() const { return parts_.size(); }
  size_t tiles() const { return tiles_.size(); }

  void do_part(size_t part, size_t thread, HiddenRows& hidden, const FactorTarget& target);
  void do_tile(size_t tile, size_t thread, const HiddenRows& hidden, const AdaGradStep& step);

  // For features of single candidates: whether a row is among the planned ones, and its slopes.
  bool has(uint32_t row) const {
    const size_t place = row - size_t{rows_begin_};
    return place < part_of_row_.size() && part_of_row_[place] != no_row;
  }
  void add_slopes(uint32_t row, std::span<const uint32_t> candidates, float* sums) const;

 private:
  struct Part {
    uint32_t factor, begin, end;
    size_t slopes;  // where they are
  };
  struct Tile {
    uint32_t factor, first, count;
  };
  struct Taken {
    Factor factor;
    uint32_t parts_begin, parts_end;
  };
  // What one thread works in.
  struct Bench {
    LineVector<float> transposed, gradient, of_bias, offsets;
  };

  void add_parts(const Factor& factor, size_t& slopes);
  void set_slopes(const Part& part, const Factor& factor, float* logits, Bench& bench, const FactorTarget& target);

  ParameterTable& weights_;
  ParameterTable& bias_;
  const bool first_writer_;
  std::vector<Taken> taken_;
  std::vector<Part> parts_;
  std::vector<Tile> tiles_;
  uint32_t rows_begin_ = 0;
  std::vector<uint32_t> part_of_row_;
  LineVector<float> slopes_;
  LineVector<float> block_gradient_, block_of_bias_;  // of a factor in blocks
  std::vector<Bench> benches_;
};

}  // namespace dragoman::nlm
