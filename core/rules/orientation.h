// Lexicalised reordering without a table: how a phrase pair stood to its neighbours in the matches that gave it.
// Towards the phrase before: monotone if the word before it on the target side is linked to the word before it on the
// source side, swapped if that is linked to the word after it, else discontinuous; towards the phrase after in the same
// way (Koehn et al. 2005, word based).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/interval.h"
#include "base/namespaces.h"
#include "index/aligned_sentence.h"

namespace dragoman::rules {

struct Orientation {
  uint8_t before = 0, after = 0;  // 0: monotone, 1: swapped, 2: discontinuous
};

inline constexpr size_t orientation_count = 6;  // three before, three after

// Of the source words [begin, end), whose links span `target`.
Orientation orientation_of(const AlignedSentence& sentence, uint32_t begin, uint32_t end, const Span& target);

// log10 p(orientation | phrase pair), smoothed by half a count each, from how often each was seen in `count` matches.
std::array<float, orientation_count> orientation_log10_probs(std::span<const uint32_t> seen, uint32_t count);

}  // namespace dragoman::rules
