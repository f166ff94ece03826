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

BleuReference::BleuReference(std::span<const std::string_view> lines, BleuTokens tokens, bool lowercase)
    : tokens_(tokens), lowercase_(lowercase) {
  for (std::string_view line : lines) {
    const std::vector<uint64_t> words = bleu_words(line, tokens, lowercase);
    lengths_.push_back(static_cast<uint32_t>(words.size()));
    auto ngrams = count(words);
    for (size_t n = 0; n < bleu_order; ++n)
      ngrams_[n] = ngrams_[n].empty() ? std::move(ngrams[n]) : most(ngrams_[n], ngrams[n]);
  }
  std::ranges::sort(lengths_);
}

// Of each n-gram the larger count.
BleuReference::NgramCounts BleuReference::most(const NgramCounts& one, const NgramCounts& other) {
  NgramCounts merged;
  std::ranges::merge(one, other, std::back_inserter(merged));
  size_t kept = 0;
  for (const auto& [hash, times] : merged) {
    // Those of one n-gram stand side by side, the larger count last.
    if (kept > 0 && merged[kept - 1].first == hash) --kept;
    merged[kept++] = {hash, times};
  }
  merged.resize(kept);
  return merged;
}

uint32_t BleuReference::closest_length(uint32_t words) const {
  return *std::ranges::min_element(lengths_, {},
                                   [&](uint32_t length) { return length < words ? words - length : length - words; });
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
  counts.reference_words = closest_length(static_cast<uint32_t>(words.size()));
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
