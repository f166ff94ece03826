// Brown clustering (Brown et al. 1992): classes of words such that the mutual information of neighbouring classes is as
// large as greedy merging makes it. Words come in by falling frequency, each as a class of its own, and whenever there
// is one class too many, the two whose union loses least become one.
//
// With f(n) = n ln n, T times the mutual information is sum f(n_cd) - sum f(left_c) - sum f(right_c) + const, and
// merging a and b loses
//   L(a,b) = sum over x not a, b of h(n_ax, n_bx) + h(n_xa, n_xb)
//          + f(n_aa) + f(n_ab) + f(n_ba) + f(n_bb) - f(n_aa + n_ab + n_ba + n_bb) - h(left_a, left_b)
//          - h(right_a, right_b),      h(u, v) = f(u) + f(v) - f(u + v).
// h is 0 where one argument is, and no frequency but those of a and b occurs. So if a rare word t joins s, L(a,b)
// changes only where a or b is a neighbour of t, or s: a table of all losses is kept up to date at O(classes x
// neighbours of t) a step, instead of O(classes^2) with its logarithms. Each row knows its smallest loss.
//
// f is kept as whole numbers (n ln n in units of 2^-20), so sums are exact, ties are ties, and the result is the same
// for any number of threads. Ties go to the pair whose most frequent words are most frequent. Frequencies of a class
// are those in the whole text from the start.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/monitor.h"
#include "nlm/format.h"

namespace dragoman::nlm {

inline constexpr int32_t no_class = -1;

// Texts are sentences one after another, each between sentence_begin and sentence_end. Returns the class of every id
// below `size`, numbered by falling frequency of the class' first word; no_class for no_word and sentence_begin. A
// sentence's end is also what precedes its first word. Words that do not occur join the rarest class. Bigrams lie in
// the scratch space where there is one.
std::vector<int32_t> brown_classes(const std::vector<std::span<const WordId>>& texts, uint32_t size, uint32_t classes,
                                   size_t threads, Monitor& monitor, ArrayMemory* scratch = nullptr);

// What the same greedy merging makes of the classes, until one is left.
struct BrownHierarchy {
  std::vector<int32_t> class_of_word;
  uint32_t classes = 0;  // that occur
  // The two that merge i makes one of: a class, or, from `classes` on, what an earlier merge made.
  std::vector<std::array<uint32_t, 2>> merges;
};

BrownHierarchy brown_hierarchy(const std::vector<std::span<const WordId>>& texts, uint32_t size, uint32_t classes,
                               size_t threads, Monitor& monitor, ArrayMemory* scratch = nullptr);

// n ln n in the units that losses are counted in.
int64_t brown_information(uint64_t count);

}  // namespace dragoman::nlm
