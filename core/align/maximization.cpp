#include "align/maximization.h"

#include <cmath>
#include <string>

#include "base/choices.h"
#include "base/errors.h"
#include "base/parallel.h"

namespace dragoman::align {
namespace {

constexpr size_t row_shards = 64;
constexpr float variational_alpha = 0.01f;
constexpr float identity_share = 0.2f;
constexpr float pair_alpha = 0.001f;

}  // namespace

Smoothing smoothing_named(std::string_view name) {
  static constexpr Choice<Smoothing> smoothings[] = {
      {"classes", Smoothing::classes}, {"variational", Smoothing::variational}, {"none", Smoothing::none}};
  return choose(smoothings, "smoothing", name);
}

float exp_digamma(float x) {
  // digamma(x) = digamma(x + n) - sum of 1 / (x + k), and exp(digamma(y)) = y - 1/2 + 1/(24 y) + 1/(48 y^2) + ...
  double sum = 0, y = x;
  while (y < 6) sum += 1 / y, y += 1;
  const double large = y - 0.5 + 1 / (24 * y) + 1 / (48 * y * y);
  return static_cast<float>(large * std::exp(-sum));
}

// Counts of generating words, and of their classes.
struct Maximizer::Sums {
  std::vector<double> target;  // backward counts by target word
  std::vector<double> target_class;
};

struct Maximizer::Scratch {
  std::vector<float> forward;  // by target class, zero between source classes
  std::vector<float> backward;
};

Maximizer::Maximizer(const Bitext& bitext, Smoothing smoothing)
    : smoothing_(smoothing), sources_(bitext.source.vocabulary.size()), targets_(bitext.target.vocabulary.size()) {
  if (smoothing != Smoothing::classes) return;
  source_classes_ = prefix_classes(bitext.source.vocabulary, bitext.source.frequencies(), class_prefix);
  target_classes_ = prefix_classes(bitext.target.vocabulary, bitext.target.frequencies(), class_prefix);
  twins_.resize(sources_, Vocabulary::unknown);
  for (WordId word = Vocabulary::first_word; word < sources_; ++word)
    twins_[word] = bitext.target.vocabulary.find(bitext.source.vocabulary.word(word));
}

void Maximizer::plain_row(PairTable& table, const PairCounts& counts, const Sums& sums, WordId source) const {
  const bool variational = smoothing_ == Smoothing::variational;
  auto weight = [&](float count) { return variational ? exp_digamma(count + variational_alpha) : count; };
  auto total = [&](double sum, size_t words) {
    if (sum <= 0) return 1.0f;
    return variational ? exp_digamma(static_cast<float>(sum + variational_alpha * static_cast<double>(words)))
                       : static_cast<float>(sum);
  };
  double sum = 0;
  for (uint64_t pair = table.begins[source]; pair < table.begins[source + 1]; ++pair)
    sum += counts.forward(pair, table.targets[pair]);
  const float row_total = total(sum, targets_);
  for (uint64_t pair = table.begins[source]; pair < table.begins[source + 1]; ++pair) {
    const WordId target = table.targets[pair];
    table.forward[pair] = Probability(weight(counts.forward(pair, target)) / row_total);
    table.backward[pair] = Probability(weight(counts.backward(pair, source)) / total(sums.target[target], sources_));
  }
}

void Maximizer::class_rows(PairTable& table, const PairCounts& counts, const Sums& sums, size_t number,
                           Scratch& scratch) const {
  auto members =
      std::span(source_classes_.members)
          .subspan(source_classes_.begins[number], source_classes_.begins[number + 1] - source_classes_.begins[number]);
  float class_sum = 0;
  for (WordId source : members)
    for (uint64_t pair = table.begins[source]; pair < table.begins[source + 1]; ++pair) {
      const WordId target = table.targets[pair];
      const uint32_t target_class = target_classes_.of_word[target];
      const float count = counts.forward(pair, target);
      scratch.forward[target_class] += count;
      scratch.backward[target_class] += counts.backward(pair, source);
      class_sum += count;
    }
  for (WordId source : members) {
    float sum = 0;
    for (uint64_t pair = table.begins[source]; pair < table.begins[source + 1]; ++pair)
      sum += counts.forward(pair, table.targets[pair]);
    const float forward_class = prior_strength / (class_sum + prior_strength);
    const float backward_class = prior_strength * source_classes_.share_of_class[source];
    for (uint64_t pair = table.begins[source]; pair < table.begins[source + 1]; ++pair) {
      const WordId target = table.targets[pair];
      const uint32_t target_class = target_classes_.of_word[target];
      const float base = pair_alpha + (target == twins_[source] ? prior_strength * identity_share : 0);
      const float forward =
          base + scratch.forward[target_class] * forward_class * target_classes_.share_of_class[target];
      const float backward = base + scratch.backward[target_class] * backward_class /
                                        (static_cast<float>(sums.target_class[target_class]) + prior_strength);
      table.forward[pair] = Probability((counts.forward(pair, target) + forward) / (sum + prior_strength));
      table.backward[pair] = Probability((counts.backward(pair, source) + backward) /
                                         (static_cast<float>(sums.target[target]) + prior_strength));
    }
  }
  for (WordId source : members)
    for (WordId target : table.row(source))
      scratch.forward[target_classes_.of_word[target]] = scratch.backward[target_classes_.of_word[target]] = 0;
}

void Maximizer::maximize(PairTable& table, const PairCounts& counts, size_t threads, Monitor& monitor) const {
  table.forward.resize(table.size());
  table.backward.resize(table.size());
  table.null_target.resize(targets_);
  table.null_source.resize(sources_);
  // Rows in order make the sums the same for any number of threads.
  Sums sums{std::vector<double>(targets_), std::vector<double>(target_classes_.size())};
  for (WordId source = 0; source < sources_; ++source)
    for (uint64_t pair = table.begins[source]; pair < table.begins[source + 1]; ++pair)
      sums.target[table.targets[pair]] += counts.backward(pair, source);
  if (smoothing_ == Smoothing::classes)
    for (WordId target = 0; target < targets_; ++target)
      sums.target_class[target_classes_.of_word[target]] += sums.target[target];

  for_each_shard(row_shards, threads, monitor, [&](size_t shard) {
    // Frequent words come first in both orders, so every shard takes its share of them.
    if (smoothing_ == Smoothing::classes) {
      Scratch scratch{std::vector<float>(target_classes_.size()), std::vector<float>(target_classes_.size())};
      for (size_t number = shard; number < source_classes_.size(); number += row_shards)
        class_rows(table, counts, sums, number, scratch);
    } else {
      for (size_t source = shard; source < sources_; source += row_shards)
        plain_row(table, counts, sums, static_cast<WordId>(source));
    }
  });

  // NULL's row is discounted like the others, or it would take all of a text of a few lines.
  auto null_row = [&](std::vector<float>& row, auto&& count) {
    double sum = smoothing_ == Smoothing::classes ? prior_strength : 0;
    for (WordId word = 0; word < row.size(); ++word) sum += count(word);
    for (WordId word = 0; word < row.size(); ++word) row[word] = sum > 0 ? static_cast<float>(count(word) / sum) : 0;
  };
  null_row(table.null_target, [&](WordId word) { return counts.null_target(word); });
  null_row(table.null_source, [&](WordId word) { return counts.null_source(word); });
}

}  // namespace dragoman::align
