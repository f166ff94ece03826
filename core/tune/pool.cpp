#include "tune/pool.h"

#include <algorithm>
#include <string>

#include "base/errors.h"
#include "base/hash.h"

namespace dragoman::tune {
namespace {

// Partial sums that are independent of each other let the compiler use vectors, and fix the order of addition.
constexpr size_t lanes = 4;

double dot(const float* values, const double* weights, size_t size) {
  double sums[lanes] = {};
  for (size_t i = 0; i < size; i += lanes)
    for (size_t lane = 0; lane < lanes; ++lane) sums[lane] += static_cast<double>(values[i + lane]) * weights[i + lane];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

Pool::Pool(size_t sentences, size_t features)
    : features_(features), stride_((features + lanes - 1) / lanes * lanes), lists_(sentences) {
  if (sentences == 0) throw InputError(0, "there are no sentences to tune on");
  if (features == 0) throw ConfigError("weights", "there are no features to tune");
}

size_t Pool::size() const {
  size_t total = 0;
  for (const List& list : lists_) total += list.bleu.size();
  return total;
}

bool Pool::add(size_t sentence, std::span<const float> values, const SentenceBleu& bleu) {
  if (sentence >= lists_.size() || values.size() != features_)
    throw InputError(sentence + 1, "a candidate has the values of other features than the pool");
  List& list = lists_[sentence];
  const uint64_t key = hash_bytes(values.data(), values.size_bytes(), hash_bytes(&bleu, sizeof bleu));
  if (!list.seen.insert(key).second) return false;
  list.values.insert(list.values.end(), values.begin(), values.end());
  list.values.resize(list.values.size() + stride_ - features_, 0.0f);
  list.bleu.push_back(bleu);
  return true;
}

void Pool::score(size_t sentence, std::span<const double> weights, std::vector<double>& scores) const {
  std::vector<double> padded;
  if (weights.size() != stride_) {
    padded.assign(weights.begin(), weights.end());
    padded.resize(stride_, 0.0);
    weights = padded;
  }
  const List& list = lists_[sentence];
  scores.resize(list.bleu.size());
  for (size_t i = 0; i < scores.size(); ++i) scores[i] = dot(list.values.data() + i * stride_, weights.data(), stride_);
}

size_t Pool::best(size_t sentence, std::span<const double> weights, std::vector<double>& scores) const {
  score(sentence, weights, scores);
  return static_cast<size_t>(std::ranges::max_element(scores) - scores.begin());
}

CorpusBleu Pool::counts(std::span<const double> weights) const {
  CorpusBleu total;
  std::vector<double> scores;
  for (size_t s = 0; s < lists_.size(); ++s)
    if (size(s) > 0) total += bleu(s, best(s, weights, scores));
  return total;
}

}  // namespace dragoman::tune
