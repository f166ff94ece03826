#include "evaluate/bleu.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace dragoman::evaluate {

double bleu_score(const CorpusBleu& counts) {
  if (counts.totals[0] <= 0) return 0;
  double log_precision = 0, smoothing = 1;
  bool any_match = false;
  for (size_t n = 0; n < bleu_order; ++n) {
    if (counts.totals[n] <= 0) return 0;
    any_match = any_match || counts.matches[n] > 0;
    const double total = static_cast<double>(counts.totals[n]);
    if (counts.matches[n] > 0) {
      log_precision += std::log(static_cast<double>(counts.matches[n]) / total);
    } else {
      smoothing *= 2;
      log_precision += std::log(1 / (smoothing * total));
    }
  }
  if (!any_match) return 0;
  const double shortfall = 1 - static_cast<double>(counts.reference_words) / static_cast<double>(counts.totals[0]);
  return std::exp(log_precision / bleu_order + std::min(0.0, shortfall));
}

BleuReference::BleuReference(std::string_view line, BleuTokens tokens, bool lowercase)
    : tokens_(tokens), lowercase_(lowercase) {
  const std::vector<uint64_t> words = bleu_words(line, tokens, lowercase);
  words_ = static_cast<uint32_t>(words.size());
  ngrams_ = count(words);
}

std::array<BleuReference::NgramCounts, bleu_order> BleuReference::count(const std::vector<uint64_t>& words) {
  std::array<NgramCounts, bleu_order> ngrams;
  std::vector<uint64_t> hashes = words;
  for (size_t n = 0; n < bleu_order && n < words.size(); ++n) {
    if (n > 0) {
      hashes.resize(words.size() - n);
      for (size_t i = 0; i < hashes.size(); ++i) hashes[i] = mix(hashes[i]) ^ words[i + n];
    }
    std::vector<uint64_t> sorted = hashes;
    std::ranges::sort(sorted);
    for (uint64_t hash : sorted) {
      if (ngrams[n].empty() || ngrams[n].back().first != hash) ngrams[n].emplace_back(hash, 0);
      ++ngrams[n].back().second;
    }
  }
  return ngrams;
}

SentenceBleu BleuReference::compare(std::string_view line) const {
  const std::vector<uint64_t> words = bleu_words(line, tokens_, lowercase_);
  const auto ngrams = count(words);
  SentenceBleu counts;
  counts.reference_words = words_;
  for (size_t n = 0; n < bleu_order; ++n) {
    counts.totals[n] = words.size() > n ? static_cast<uint32_t>(words.size() - n) : 0;
    auto known = ngrams_[n].begin();
    for (const auto& [hash, times] : ngrams[n]) {
      while (known != ngrams_[n].end() && known->first < hash) ++known;
      if (known != ngrams_[n].end() && known->first == hash) counts.matches[n] += std::min(times, known->second);
    }
  }
  return counts;
}

}  // namespace dragoman::evaluate
