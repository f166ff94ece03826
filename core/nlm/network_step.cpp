#include "nlm/network_step.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace dragoman::nlm {
namespace {

constexpr uint32_t step_rows = 128;

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

NetworkStep::NetworkStep(Network& network, const ClassedWords& words, Team& team)
    : network_(network),
      words_(words),
      team_(team),
      side_(network.input, network.context, network.shape().places()),
      classes_(network.class_weights, network.class_bias, true),
      in_class_(network.word_weights, network.word_bias, false) {
  if (network.shape().source_words)
    source_side_.emplace(network.source_input, network.source_context, network.shape().source_places());
}

void NetworkStep::fill_hidden(const Minibatch& batch, double dropout, uint64_t seed) {
  const uint32_t rows = batch.size();
  hidden_.resize(rows, network_.shape().dimension);
  share(team_, step_units(rows), [&](size_t unit, size_t) {
    for (size_t row = unit * step_rows; row < std::min<size_t>(rows, (unit + 1) * step_rows); ++row)
      std::copy_n(network_.hidden_bias.row(0), hidden_.stride, hidden_.output.data() + row * hidden_.stride);
  });
  side_.forward(team_, batch.contexts, hidden_);
  if (source_side_) source_side_->forward(team_, batch.sources, hidden_);
  rectify(rows, dropout, seed);
}

void NetworkStep::rectify(uint32_t rows, double share_left_out, uint64_t seed) {
  const TrainingKernels& kernels = training_kernels();
  const Dropout dropout(share_left_out);
  kept_.resize(team_.size() * hidden_.stride);
  share(team_, step_units(rows), [&](size_t unit, size_t thread) {
    float* kept = dropout.limit ? kept_.data() + thread * hidden_.stride : nullptr;
    for (size_t row = unit * step_rows; row < std::min<size_t>(rows, (unit + 1) * step_rows); ++row) {
      if (kept) dropout.fill(kept, hidden_.stride, seed, row);
      kernels.rectify(hidden_.output.data() + row * hidden_.stride, kept, hidden_.stride);
    }
  });
}

std::vector<Factor> NetworkStep::class_factor(const Minibatch& batch) const {
  return {{0, words_.classes(), 0, batch.size()}};
}

std::vector<Factor> NetworkStep::word_factors(const Minibatch& batch) const {
  std::vector<Factor> factors;
  for (const Minibatch::Group& group : batch.groups)
    // A class of one word is settled by its name.
    if (words_.size_of(group.number) > 1)
      factors.push_back({words_.rows.class_begin[group.number], words_.size_of(group.number), group.begin, group.end});
  return factors;
}

double NetworkStep::train(const Minibatch& batch, const StepOptions& options) {
  const uint32_t rows = batch.size();
  fill_hidden(batch, options.dropout, options.seed);
  scores_.resize(rows);
  const Objective objective{options.penalty, 1 / static_cast<float>(rows)};

  const std::vector<Factor> one = class_factor(batch), many = word_factors(batch);
  classes_.plan(one, team_.size());
  share(team_, classes_.parts(), [&](size_t part, size_t thread) {
    classes_.do_part(part, thread, hidden_, batch.classes, objective, scores_.of_class, scores_.class_normaliser);
  });
  // Weights of classes are changed beside the first of the words' parts, which do not need them.
  size_t class_tiles = classes_.tiles();
  for (std::span<const Factor> left(many); class_tiles || !left.empty();) {
    left = left.subspan(in_class_.plan(left, team_.size()));
    share(team_, class_tiles + in_class_.parts(), [&](size_t unit, size_t thread) {
      if (unit < class_tiles)
        classes_.do_tile(unit, thread, hidden_, options.rate, options.pull);
      else
        in_class_.do_part(unit - class_tiles, thread, hidden_, batch.in_class, objective, scores_.of_word,
                          scores_.word_normaliser);
    });
    class_tiles = 0;
    share(team_, in_class_.tiles(),
          [&](size_t tile, size_t thread) { in_class_.do_tile(tile, thread, hidden_, options.rate, options.pull); });
  }
  change_hidden(rows, options);

  double loss = 0;
  for (uint32_t row = 0; row < rows; ++row) {
    const double of_class = scores_.class_normaliser[row], of_word = scores_.word_normaliser[row];
    loss -= scores_.of_class[row] + scores_.of_word[row];
    loss += options.penalty * (of_class * of_class + of_word * of_word);
  }
  return loss;
}

void NetworkStep::change_hidden(uint32_t rows, const StepOptions& options) {
  const TrainingKernels& kernels = training_kernels();
  const Dropout dropout(options.dropout);
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
  for (size_t unit = 1; unit < units; ++unit)
    for (size_t i = 0; i < stride; ++i) of_bias_[i] += of_bias_[unit * stride + i];
  kernels.adagrad({options.rate, 0}, of_bias_.data(), network_.hidden_bias.row(0), network_.hidden_bias.squares_of(0),
                  hidden_.stride);
  const TrainingRates rates{options.rate, options.pull};
  side_.backward(team_, hidden_, rates);
  if (source_side_) source_side_->backward(team_, hidden_, rates);
}

const RowScores& NetworkStep::score(const Minibatch& batch) {
  fill_hidden(batch, 0, 0);
  scores_.resize(batch.size());
  const Objective none{0, 0};
  classes_.plan(class_factor(batch), team_.size());
  share(team_, classes_.parts(), [&](size_t part, size_t thread) {
    classes_.do_part(part, thread, hidden_, batch.classes, none, scores_.of_class, scores_.class_normaliser);
  });
  const std::vector<Factor> many = word_factors(batch);
  for (std::span<const Factor> left(many); !left.empty();) {
    left = left.subspan(in_class_.plan(left, team_.size()));
    share(team_, in_class_.parts(), [&](size_t part, size_t thread) {
      in_class_.do_part(part, thread, hidden_, batch.in_class, none, scores_.of_word, scores_.word_normaliser);
    });
  }
  return scores_;
}

}  // namespace dragoman::nlm
