// BLEU (thesis 2.7; Papineni et al. 2002) from statistics of sentences that can be added up: matched n-grams of each
// length, words of the translation and of the reference. Scores are sacreBLEU's to the last bit that matters: same
// words, same clipping, exponential smoothing of lengths without a match. Where a sentence has several references, an
// n-gram counts as often as in the reference that has it most often, and the length is that of the reference whose
// length is closest to the translation's, the shorter of two equally close.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "evaluate/bleu_tokens.h"

namespace dragoman::evaluate {

inline constexpr size_t bleu_order = 4;

template <class Number>
struct BleuCounts {
  std::array<Number, bleu_order> matches{};
  std::array<Number, bleu_order> totals{};  // n-grams of the translation; totals[0] are its words
  Number reference_words{};

  template <class Other>
  BleuCounts& operator+=(const BleuCounts<Other>& other) {
    for (size_t n = 0; n < bleu_order; ++n) {
      matches[n] += static_cast<Number>(other.matches[n]);
      totals[n] += static_cast<Number>(other.totals[n]);
    }
    reference_words += static_cast<Number>(other.reference_words);
    return *this;
  }
  template <class Other>
  BleuCounts& operator-=(const BleuCounts<Other>& other) {
    for (size_t n = 0; n < bleu_order; ++n) {
      matches[n] -= static_cast<Number>(other.matches[n]);
      totals[n] -= static_cast<Number>(other.totals[n]);
    }
    reference_words -= static_cast<Number>(other.reference_words);
    return *this;
  }
  bool operator==(const BleuCounts&) const = default;
};

using SentenceBleu = BleuCounts<uint32_t>;  // of one translation
using CorpusBleu = BleuCounts<int64_t>;     // of many, exactly

// 0 to 1.
double bleu_score(const CorpusBleu& counts);

// The n-grams of the references of a sentence, one or more, ready to be compared with many translations.
class BleuReference {
 public:
  BleuReference(std::span<const std::string_view> lines, BleuTokens tokens, bool lowercase);
  BleuReference(std::string_view line, BleuTokens tokens, bool lowercase)
      : BleuReference(std::span(&line, 1), tokens, lowercase) {}
  SentenceBleu compare(std::string_view line) const;

 private:
  using NgramCounts = std::vector<std::pair<uint64_t, uint32_t>>;  // by hash
  static std::array<NgramCounts, bleu_order> count(const std::vector<uint64_t>& words);
  static NgramCounts most(const NgramCounts& one, const NgramCounts& other);
  uint32_t closest_length(uint32_t words) const;

  BleuTokens tokens_;
  bool lowercase_;
  std::vector<uint32_t> lengths_;  // in words, rising
  std::array<NgramCounts, bleu_order> ngrams_;
};

}  // namespace dragoman::evaluate
