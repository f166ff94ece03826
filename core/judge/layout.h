// Where each part of a judge lies in its file: one walk over all layers, in the order of format.h, for whoever reads
// or writes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/format.h"

namespace dragoman::judge {

// Rows of `narrow` or `wide`, and where in `vectors` what is added to the product begins.
struct LinearPlace {
  bool wide = false;
  uint32_t first = 0, rows = 0;
  uint64_t bias = 0;
};

struct NormPlace {
  uint64_t weight = 0, bias = 0;
};

// The rows of query, key, value and out follow each other, and so do their biases.
struct AttentionPlace {
  NormPlace norm;
  LinearPlace query, key, value, out;
};

struct LayerPlace {
  AttentionPlace attention, cross;  // cross in decoders alone
  NormPlace feedforward_norm;
  LinearPlace widen, narrow;
};

struct Layout {
  // Layers, and the norm behind them; `backward` has neither where there is no second decoder.
  struct Stack {
    std::vector<LayerPlace> layers;
    NormPlace norm;
  };
  Stack encoder, decoder, backward;
  uint32_t narrow_rows = 0, wide_rows = 0;
  uint64_t vector_floats = 0;

  explicit Layout(const Header& header);
};

}  // namespace dragoman::judge
