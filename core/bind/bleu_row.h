// BLEU statistics as a list of numbers, which Python adds up.
#pragma once

#include <nanobind/stl/array.h>

#include <array>

#include "bind/bind.h"
#include "evaluate/bleu.h"

namespace dragoman::bind {

// In sacreBLEU's order: words of the translation and of the reference, matches, totals.
using BleuRow = std::array<int64_t, 2 + 2 * evaluate::bleu_order>;

template <class Number>
BleuRow row_of(const evaluate::BleuCounts<Number>& counts) {
  BleuRow row{static_cast<int64_t>(counts.totals[0]), static_cast<int64_t>(counts.reference_words)};
  for (size_t n = 0; n < evaluate::bleu_order; ++n) {
    row[2 + n] = static_cast<int64_t>(counts.matches[n]);
    row[2 + evaluate::bleu_order + n] = static_cast<int64_t>(counts.totals[n]);
  }
  return row;
}

template <class Number>
evaluate::BleuCounts<Number> counts_of(const BleuRow& row) {
  evaluate::BleuCounts<Number> counts;
  counts.reference_words = static_cast<Number>(row[1]);
  for (size_t n = 0; n < evaluate::bleu_order; ++n) {
    counts.matches[n] = static_cast<Number>(row[2 + n]);
    counts.totals[n] = static_cast<Number>(row[2 + evaluate::bleu_order + n]);
  }
  return counts;
}

}  // namespace dragoman::bind
