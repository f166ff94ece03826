// The M-step of the translation table, in both directions.
//
// `none` divides counts by their sum. `variational` (Riley and Gildea 2012) replaces a count c by
// exp(digamma(c + alpha)), about c - 1/2 for large counts and almost nothing for small ones. `classes`, the default,
// is the mean of a Dirichlet posterior whose base measure knows more than the word itself:
//   p(t | s) = (c(s,t) + K q(t | s) + a) / (c(s) + K)
//   q(t | s) = c(S,T) / (c(S) + K) share(t in T) + identity [s and t are the same string]
// where S and T are the classes of words that begin alike (word_classes.h). The strength K matters twice: it lends a
// rare inflected form the statistics of its relatives, and it keeps a rare word's row from claiming whatever else
// stands in its sentences, because a row of few counts sums to far less than one.
#pragma once

#include <string_view>
#include <vector>

#include "align/bitext.h"
#include "align/pair_table.h"
#include "align/word_classes.h"
#include "base/monitor.h"

namespace dragoman::align {

enum class Smoothing { classes, variational, none };

// Throws ConfigError that names the choices.
Smoothing smoothing_named(std::string_view name);

// exp(digamma(x)) for x > 0.
float exp_digamma(float x);

class Maximizer {
 public:
  Maximizer(const Bitext& bitext, Smoothing smoothing);

  // Sets all probabilities of the table.
  void maximize(PairTable& table, const PairCounts& counts, size_t threads, Monitor& monitor) const;

 private:
  struct Sums;
  struct Scratch;
  void plain_row(PairTable& table, const PairCounts& counts, const Sums& sums, WordId source) const;
  void class_rows(PairTable& table, const PairCounts& counts, const Sums& sums, size_t number, Scratch& scratch) const;

  Smoothing smoothing_;
  size_t sources_;
  size_t targets_;
  WordClasses source_classes_;
  WordClasses target_classes_;
  std::vector<WordId> twins_;  // by source word: the target word of the same spelling, or Vocabulary::unknown
};

}  // namespace dragoman::align
