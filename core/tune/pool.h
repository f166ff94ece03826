// The k-best pool: for every sentence of the tuning set all translations that any round has proposed, each as a row of
// feature values and its BLEU statistics. Tuning works on these alone (thesis 2.5); a translation that comes again with
// the same features adds nothing and is not kept.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/namespaces.h"
#include "evaluate/bleu.h"

namespace dragoman::tune {

class Pool {
 public:
  Pool(size_t sentences, size_t features);

  size_t sentences() const { return lists_.size(); }
  size_t features() const { return features_; }
  size_t size(size_t sentence) const { return lists_[sentence].bleu.size(); }
  size_t size() const;

  // One value per feature, in the order of the weights. False if it was there before.
  bool add(size_t sentence, std::span<const float> values, const SentenceBleu& bleu);

  std::span<const float> values(size_t sentence, size_t candidate) const {
    return {lists_[sentence].values.data() + candidate * stride_, features_};
  }
  const SentenceBleu& bleu(size_t sentence, size_t candidate) const { return lists_[sentence].bleu[candidate]; }

  // Model scores of all candidates of a sentence.
  void score(size_t sentence, std::span<const double> weights, std::vector<double>& scores) const;
  // The first of the best.
  size_t best(size_t sentence, std::span<const double> weights, std::vector<double>& scores) const;
  // BLEU counts of the best candidates under the weights.
  CorpusBleu counts(std::span<const double> weights) const;

 private:
  struct List {
    std::vector<float> values;  // rows of stride_ numbers
    std::vector<SentenceBleu> bleu;
    std::unordered_set<uint64_t> seen;
  };

  size_t features_;
  size_t stride_;  // rounded up, so that a row is a whole number of lanes
  std::vector<List> lists_;
};

}  // namespace dragoman::tune
