#include "nlm/network_step.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"

namespace dragoman::nlm {
namespace {

constexpr uint32_t step_rows = 128;

// Noise and dropout of a step are not to be drawn from the same numbers.
uint64_t class_noise_seed(uint64_t seed) { return mix(seed + 1); }
uint64_t word_noise_seed(uint64_t seed) { return mix(seed + 2); }

std::vector<double> class_counts(const ClassedWords& words) {
  std::vector<double> counts;
  for (uint32_t number = 0; number < words.classes(); ++number) counts.push_back(words.count_of(number));
  return counts;
}

size_t step_units(uint32_t rows) { return (rows + step_rows - 1) / step_rows; }

// Hidden units are left out by comparing 16 random bits with the share that goes.
struct Dropout {
  uint32_t limit;
  float factor;

  explicit Dropout(double share)
      : limit(static_cast<uint32_t>(std::lround(share * 65536))), factor(65536.f / static_cast<float>(65536 - limit)) {}
  void fill(float* kept, uint32_t size, uint64_t seed, uint64_t row) const {
    Random random(seed, row);
    for (uint32_t i = 0; i < size; i += 4) {
      const uint64_t bits = random.next();
      for (uint32_t k = 0; k < 4; ++k) kept[i + k] = (bits >> 16 * k & 0xffff) >= limit ? factor : 0;
    }
  }
};

}  // namespace

void RowScores::resize(size_t rows) {
  for (std::vector<float>* scores : {&of_class, &of_word, &class_normaliser, &word_normaliser}) scores->assign(rows, 0);
}

NetworkStep::NetworkStep(Network& network, const ClassedWords& words, const DirectFeatures* direct,
                         const NoiseOptions& noise, Team& team)
    : network_(network),
      words_(words),
      direct_(direct),
      team_(team),
      side_(network.input, network.context, network.shape().places()),
      classes_(network.class_weights, network.class_bias, true, noise, class_counts(words),
               std::array{0u, words.classes()}),
      in_class_(network.word_weights, network.word_bias, false, noise, words.counts, words.rows.class_begin) {
  if (network.shape().source_words)
    source_side_.emplace(network.source_input, network.source_context, network.shape().source_places());
  if (!direct) return;
  classes_.add_direct(network.direct_class_weights, direct->class_begin, direct->classes);
  in_class_.add_direct(network.direct_word_weights, direct->word_begin, direct->words);
}

void NetworkStep::fill_hidden(const Minibatch& batch, double share_left_out, uint64_t seed) {
  const TrainingKernels& kernels = training_kernels();
  const uint32_t rows = batch.size(), places = network_.shape().places();
  const uint32_t source_places = network_.shape().source_places();
  const Dropout dropout(share_left_out);
  const bool full = side_.full();
  hidden_.resize(rows, network_.shape().dimension);
  kept_.resize(team_.size() * hidden_.stride);
  none_.resize(hidden_.stride);
  products_.resize(team_.size(), LineVector<Product>(places + source_places));
  const float* const start = network_.hidden_bias.empty() ? none_.data() : network_.hidden_bias.row(0);
  if (full) add_full_sides(batch);
  share(team_, step_units(rows), [&](size_t unit, size_t thread) {
    Product* const products = products_[thread].data();
    float* const kept = dropout.limit ? kept_.data() + thread * hidden_.stride : nullptr;
    for (size_t row = unit * step_rows; row < std::min<size_t>(rows, (unit + 1) * step_rows); ++row) {
      float* const output = hidden_.output.data() + row * hidden_.stride;
      if (!full) {
        side_.list_products(batch.contexts.data() + row * places, products);
        if (source_side_) source_side_->list_products(batch.sources.data() + row * source_places, products + places);
        kernels.add_products(start, products, places + source_places, output, hidden_.stride);
      }
      if (kept) dropout.fill(kept, hidden_.stride, seed, row);
      kernels.rectify(output, kept, hidden_.stride);
    }
  });
  if (direct_) find_direct(batch);
}

void NetworkStep::add_full_sides(const Minibatch& batch) {
  const uint32_t rows = batch.size();
  share(team_, step_units(rows), [&](size_t unit, size_t) {
    for (size_t row = unit * step_rows; row < std::min<size_t>(rows, (unit + 1) * step_rows); ++row)
      std::copy_n(network_.hidden_bias.empty() ? none_.data() : network_.hidden_bias.row(0), hidden_.stride,
                  hidden_.output.data() + row * hidden_.stride);
  });
  side_.forward_full(team_, batch.in_contexts, hidden_);
  if (source_side_) source_side_->forward_full(team_, batch.in_sources, hidden_);
}

void NetworkStep::find_direct(const Minibatch& batch) {
  const uint32_t rows = batch.size(), places = network_.shape().places();
  std::vector<uint32_t> of_classes(size_t{rows} * places), of_words(of_classes.size());
  share(team_, step_units(rows), [&](size_t unit, size_t) {
    for (size_t row = unit * step_rows; row < std::min<size_t>(rows, (unit + 1) * step_rows); ++row) {
      const size_t at = row * places;
      direct_->find(std::span(batch.contexts).subspan(at, places), of_classes.data() + at);
      for (size_t i = at; i < at + places; ++i) of_words[i] = direct_->class_feature(of_classes[i], batch.classes[row]);
    }
  });
  classes_.direct().take(std::move(of_classes), places);
  in_class_.direct().take(std::move(of_words), places);
}

std::vector<Factor> NetworkStep::class_factor(const Minibatch& batch) const {
  return {Factor{0, words_.classes(), 0, batch.size()}};
}

std::vector<Factor> NetworkStep::word_factors(const Minibatch& batch) const {
  std::vector<Factor> factors;
  for (const Minibatch::Group& group : batch.groups)
    // A class of one word is settled by its name.
    if (words_.size_of(group.number) > 1)
      factors.push_back({words_.rows.class_begin[group.number], words_.size_of(group.number), group.begin, group.end});
  return factors;
}

LayerRows NetworkStep::class_rows(const Minibatch& batch, std::span<const Factor> factors) {
  return {factors, batch.classes, scores_.of_class, scores_.class_normaliser};
}

LayerRows NetworkStep::word_rows(const Minibatch& batch, std::span<const Factor> factors) {
  return {factors, batch.in_class, scores_.of_word, scores_.word_normaliser};
}

double NetworkStep::train(const Minibatch& batch, const StepOptions& options, Besides besides) {
  const uint32_t rows = batch.size();
  fill_hidden(batch, options.dropout, options.seed);
  scores_.resize(rows);
  const AdaGradStep rates{options.rate, options.pull};
  const Objective objective{options.penalty, 1 / static_cast<float>(rows)};
  // Weights of classes are changed beside the words' factors, which do not need them.
  LeftOver left = std::move(besides[0]);
  classes_.train(team_, hidden_, class_rows(batch, class_factor(batch)),
                 {rates, objective, class_noise_seed(options.seed)}, left);
  left.add(std::move(besides[1]));
  in_class_.train(team_, hidden_, word_rows(batch, word_factors(batch)),
                  {rates, objective, word_noise_seed(options.seed)}, left);
  left.add(std::move(besides[2]));
  left.finish(team_);
  change_hidden(batch, options);

  double loss = 0;
  for (uint32_t row = 0; row < rows; ++row) {
    const double of_class = scores_.class_normaliser[row], of_word = scores_.word_normaliser[row];
    loss -= scores_.of_class[row] + scores_.of_word[row];
    loss += options.penalty * (of_class * of_class + of_word * of_word);
  }
  return loss;
}

void NetworkStep::change_hidden(const Minibatch& batch, const StepOptions& options) {
  const TrainingKernels& kernels = training_kernels();
  const Dropout dropout(options.dropout);
  const uint32_t rows = batch.size();
  const size_t stride = hidden_.stride, units = step_units(rows);
  of_bias_.assign(units * stride, 0);
  share(team_, units, [&](size_t unit, size_t) {
    float* sum = of_bias_.data() + unit * stride;
    for (uint32_t row = static_cast<uint32_t>(unit * step_rows); row < std::min<size_t>(rows, (unit + 1) * step_rows);
         ++row) {
      kernels.unrectify(hidden_.output.data() + row * stride, dropout.factor, hidden_.gradient.data() + row * stride,
                        hidden_.stride);
      kernels.add_rows({hidden_.gradient.data(), stride}, &row, 1, sum, hidden_.stride, true);
    }
  });
  if (!network_.hidden_bias.empty()) {
    for (size_t unit = 1; unit < units; ++unit)
      for (size_t i = 0; i < stride; ++i) of_bias_[i] += of_bias_[unit * stride + i];
    kernels.adagrad({options.rate, 0}, of_bias_.data(), network_.hidden_bias.row(0), network_.hidden_bias.squares_of(0),
                    hidden_.stride);
  }
  change_sides(batch, {options.rate, options.pull});
}

void NetworkStep::change_sides(const Minibatch& batch, const TrainingRates& rates) {
  if (side_.full()) {
    side_.backward_full(team_, batch.in_contexts, hidden_, rates);
    if (source_side_) source_side_->backward_full(team_, batch.in_sources, hidden_, rates);
    return;
  }
  const size_t target_units = side_.plan_diagonal(batch.in_contexts, team_.size());
  const size_t source_units = source_side_ ? source_side_->plan_diagonal(batch.in_sources, team_.size()) : 0;
  share(team_, target_units + source_units, [&](size_t unit, size_t thread) {
    if (unit < target_units)
      side_.change_vectors(unit, thread, batch.in_contexts, hidden_, rates);
    else
      source_side_->change_vectors(unit - target_units, thread, batch.in_sources, hidden_, rates);
  });
  const uint32_t places = side_.places();
  share(team_, places + network_.shape().source_places(), [&](size_t place, size_t) {
    const auto number = static_cast<uint32_t>(place);
    if (number < places)
      side_.change_diagonal(number, rates);
    else
      source_side_->change_diagonal(number - places, rates);
  });
}

const RowScores& NetworkStep::score(const Minibatch& batch) {
  fill_hidden(batch, 0, 0);
  scores_.resize(batch.size());
  classes_.score(team_, hidden_, class_rows(batch, class_factor(batch)));
  in_class_.score(team_, hidden_, word_rows(batch, word_factors(batch)));
  return scores_;
}

std::vector<uint32_t> NetworkStep::drawn(const Minibatch& batch, uint64_t seed, bool words) const {
  const OutputLayer& layer = words ? in_class_ : classes_;
  std::vector<uint32_t> all;
  for (const Factor& factor : words ? word_factors(batch) : class_factor(batch))
    for (uint32_t row = factor.begin; row < factor.end; ++row) {
      const auto rows = layer.drawn(factor, row, words ? word_noise_seed(seed) : class_noise_seed(seed));
      all.insert(all.end(), rows.begin(), rows.end());
    }
  return all;
}

}  // namespace dragoman::nlm
