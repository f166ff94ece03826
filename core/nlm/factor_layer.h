// Softmax factors of an output layer in training: P(class | h), one factor that all rows of a minibatch share, or
// P(word | class, h), one factor for each class. A factor is a stretch of rows of a table of weights and a stretch of
// rows of the minibatch.
//
// Maximum likelihood, with penalty * log^2 Z. Work comes in two kinds of units: a part is some rows of a factor, for
// which it computes logits, slopes and the gradient of the hidden layer; a tile is some weights of a factor, for which
// it sums the gradient over all rows and changes them at once, so that no gradient of a table is ever stored. Six
// multiplications and additions per row, candidate and dimension.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nlm/parameter_table.h"
#include "nlm/training_kernels.h"

namespace dragoman::nlm {

struct Factor {
  uint32_t first, count;  // weights
  uint32_t begin, end;    // rows of the minibatch
};

// The hidden layer of a minibatch and its gradient, row after row.
struct HiddenRows {
  std::vector<float> output, gradient;
  uint32_t stride = 0;

  void resize(uint32_t rows, uint32_t width) {
    stride = padded(width);
    output.resize(size_t{rows} * stride);
    gradient.resize(size_t{rows} * stride);
  }
};

class FactorLayer {
 public:
  // `first_writer`: of the layers that share a hidden layer, the one whose gradient is stored and not added.
  FactorLayer(ParameterTable& weights, ParameterTable& bias, bool first_writer);

  // Takes as many of the factors as there is room for, at least one; returns how many.
  size_t plan(std::span<const Factor> factors, size_t threads);

  size_t parts() const { return parts_.size(); }
  size_t tiles() const { return tiles_.size(); }

  // Scores by row; `observed` by row too. With a scale of 0 there are scores alone.
  void do_part(size_t part, size_t thread, HiddenRows& hidden, std::span<const uint32_t> observed,
               const Objective& objective, std::span<float> log_probs, std::span<float> log_normalisers);
  void do_tile(size_t tile, size_t thread, const HiddenRows& hidden, float rate, float pull);

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
    std::vector<float> transposed, gradient, of_bias;
  };

  ParameterTable& weights_;
  ParameterTable& bias_;
  const bool first_writer_;
  std::vector<Taken> taken_;
  std::vector<Part> parts_;
  std::vector<Tile> tiles_;
  std::vector<float> slopes_;
  std::vector<Bench> benches_;
};

}  // namespace dragoman::nlm
