// A bead: some sentences in a row of one document, and what they became in the other. Beads follow each other, and each
// sentence is in one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/interval.h"

namespace dragoman::align {

struct Bead {
  Span source;
  Span target;
  // How probable it is, given both documents, that these sentences belong together and are translations at all.
  float quality = 0;
};

struct BeadKind {
  uint32_t source;
  uint32_t target;
  double prior;  // before anything is known of the documents
};

inline constexpr std::array<BeadKind, 8> bead_kinds{{{1, 1, 0.85},
                                                     {1, 0, 0.02},
                                                     {0, 1, 0.02},
                                                     {2, 1, 0.045},
                                                     {1, 2, 0.045},
                                                     {2, 2, 0.01},
                                                     {3, 1, 0.005},
                                                     {1, 3, 0.005}}};
// Most sentences of a side.
inline constexpr uint32_t bead_sentences = 3;

// The kind with so many sentences on each side, or bead_kinds.size().
constexpr size_t kind_of(uint32_t source, uint32_t target) {
  size_t kind = 0;
  while (kind < bead_kinds.size() && (bead_kinds[kind].source != source || bead_kinds[kind].target != target)) ++kind;
  return kind;
}

}  // namespace dragoman::align
