#include "tune/mira.h"

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/random.h"

namespace dragoman::tune {
namespace {

using Background = BleuCounts<double>;

// Added to every count of the background, so that it has a logarithm from the beginning.
constexpr double smoothing = 1;

// The background that the start weights' translations would leave: as many sentences as the decay remembers.
Background first_background(const Pool& pool, std::span<const double> weights, double decay) {
  const CorpusBleu counts = pool.counts(weights);
  const double scale = 1 / ((1 - decay) * static_cast<double>(pool.sentences()));
  Background background;
  background += counts;
  for (size_t n = 0; n < bleu_order; ++n) {
    background.matches[n] *= scale;
    background.totals[n] *= scale;
  }
  background.reference_words *= scale;
  return background;
}

// BLEU of the background with this sentence in it, in words: a matched n-gram more changes it by about the same
// whatever the size of the background.
double gain(const Background& background, const SentenceBleu& sentence) {
  double log_precision = 0;
  for (size_t n = 0; n < bleu_order; ++n)
    log_precision += std::log((background.matches[n] + sentence.matches[n] + smoothing) /
                              (background.totals[n] + sentence.totals[n] + smoothing));
  const double words = background.totals[0] + sentence.totals[0] + smoothing;
  const double reference = background.reference_words + sentence.reference_words + smoothing;
  return reference * std::exp(log_precision / bleu_order + std::min(0.0, 1 - reference / words));
}

class Run {
 public:
  Run(const Pool& pool, std::span<const double> start, const MiraOptions& options, uint64_t number)
      : pool_(pool),
        options_(options),
        random_(options.seed, number),
        weights_(start.begin(), start.end()),
        sums_(start.size(), 0.0),
        background_(first_background(pool, start, options.decay)) {}

  TunedWeights learn(Monitor& monitor) {
    // Not the weights it began with: those have been tried, and another round with them would find nothing new.
    TunedWeights best{weights_, -1};
    for (uint32_t pass = 0; pass < options_.passes && !monitor.cancelled(); ++pass) {
      for (uint32_t sentence : random_.shuffled(pool_.sentences()))
        if (pool_.size(sentence) > 0) step(sentence);
      std::vector<double> average = sums_;
      for (double& weight : average) weight /= static_cast<double>(steps_);
      const double bleu = bleu_score(pool_.counts(average));
      if (bleu > best.bleu) best = {std::move(average), bleu};
      monitor.add(1);
    }
    return best;
  }

 private:
  void step(size_t sentence) {
    pool_.score(sentence, weights_, scores_);
    gains_.resize(scores_.size());
    size_t hope = 0, fear = 0, oracle = 0;
    for (size_t c = 0; c < scores_.size(); ++c) {
      gains_[c] = gain(background_, pool_.bleu(sentence, c));
      if (scores_[c] + gains_[c] > scores_[hope] + gains_[hope]) hope = c;
      if (scores_[c] - gains_[c] > scores_[fear] - gains_[fear]) fear = c;
      if (gains_[c] > gains_[oracle] || (gains_[c] == gains_[oracle] && scores_[c] > scores_[oracle])) oracle = c;
    }
    // A model so sure of itself that BLEU does not count leaves no hope but the best candidate there is.
    if (gains_[hope] <= gains_[fear]) hope = oracle;
    const double margin = gains_[hope] - gains_[fear];
    const double loss = margin - (scores_[hope] - scores_[fear]);
    if (margin > 0 && loss > 0) {
      const auto hoped = pool_.values(sentence, hope), feared = pool_.values(sentence, fear);
      double square = 0;
      for (size_t f = 0; f < weights_.size(); ++f) {
        const double difference = static_cast<double>(hoped[f]) - static_cast<double>(feared[f]);
        square += difference * difference;
      }
      if (square > 0) {
        const double length = std::min(options_.clip, loss / square);
        for (size_t f = 0; f < weights_.size(); ++f)
          weights_[f] += length * (static_cast<double>(hoped[f]) - static_cast<double>(feared[f]));
      }
    }
    for (size_t n = 0; n < bleu_order; ++n) {
      background_.matches[n] *= options_.decay;
      background_.totals[n] *= options_.decay;
    }
    background_.reference_words *= options_.decay;
    background_ += pool_.bleu(sentence, hope);
    ++steps_;
    for (size_t f = 0; f < weights_.size(); ++f) sums_[f] += weights_[f];
  }

  const Pool& pool_;
  const MiraOptions& options_;
  Random random_;
  std::vector<double> weights_, sums_, scores_, gains_;
  uint64_t steps_ = 0;
  Background background_;
};

}  // namespace

TunedWeights mira(const Pool& pool, std::span<const double> start, const MiraOptions& options, size_t threads,
                  Monitor& monitor) {
  if (start.size() != pool.features()) throw ConfigError("weights", "are not those of the pool's features");
  if (options.passes == 0 || options.shuffles == 0) throw ConfigError("passes", "must be at least 1");
  if (!(options.clip > 0)) throw ConfigError("clip", "must be above 0");
  if (!(options.decay >= 0 && options.decay < 1)) throw ConfigError("decay", "must be at least 0 and below 1");
  std::vector<TunedWeights> runs(options.shuffles);
  monitor.start(uint64_t{options.shuffles} * options.passes);
  for_each_shard(options.shuffles, threads ? threads : default_threads(), monitor,
                 [&](size_t number) { runs[number] = Run(pool, start, options, number).learn(monitor); });
  TunedWeights mean{std::vector<double>(start.size(), 0.0), 0};
  for (const TunedWeights& run : runs)
    for (size_t f = 0; f < mean.weights.size(); ++f)
      mean.weights[f] += run.weights[f] / static_cast<double>(options.shuffles);
  mean.bleu = bleu_score(pool.counts(mean.weights));
  return mean;
}

}  // namespace dragoman::tune
