#include "nlm/trainer.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/parallel.h"
#include "nlm/model_writer.h"

namespace dragoman::nlm {
namespace {

constexpr size_t scored_at_once = 8192;
// Rows whose contexts a thread reads at a time.
constexpr size_t contexts_at_once = 512;
// Candidates that the words of a minibatch draw, each of which takes some bytes.
constexpr uint64_t most_noise = uint64_t{1} << 28;

NetworkShape shape_of(const TrainingText& text, const NetworkTrainingOptions& options) {
  NetworkShape shape;
  shape.order = options.order;
  shape.dimension = options.dimension;
  shape.full = options.full;
  shape.words = text.size();
  shape.source_words = text.source_size();
  shape.source_window = options.source_window;
  shape.initial_deviation = static_cast<float>(options.initial_deviation);
  shape.hidden_bias = options.hidden_bias;
  return shape;
}

const NetworkTrainingOptions& checked(const NetworkTrainingOptions& options) {
  check(options);
  return options;
}

}  // namespace

void check(const NetworkTrainingOptions& options) {
  const auto require = [](bool ok, const char* option, const char* why) {
    if (!ok) throw ConfigError(option, why);
  };
  require(options.order >= 2 && options.order <= max_order, "order", "is out of range");
  require(options.dimension >= 1 && options.dimension <= max_dimension, "dimension", "is out of range");
  require(options.source_window <= max_source_window, "source_window", "is out of range");
  require(options.minibatch >= 1, "minibatch", "must be at least 1");
  require(uint64_t{options.noise_samples} * options.minibatch <= most_noise, "noise_samples",
          "are too many for such a minibatch; lower --noise-samples or --minibatch");
  require(options.direct_ngrams <= UINT32_MAX / 2, "direct_ngrams", "is out of range");
  require(options.dropout >= 0 && options.dropout < 1, "dropout", "must be a share below 1");
}

Trainer::Trainer(const TrainingText& text, std::vector<int32_t> classes, const NetworkTrainingOptions& options,
                 Checkpoint checkpoint)
    : text_(text),
      options_(checked(options)),
      words_(std::move(classes), text.counts()),
      network_(shape_of(text, options), words_, options.seed),
      team_(options.threads ? options.threads : default_threads()),
      step_(network_, words_, add_direct(), {options.noise_samples, options.shared_noise}, team_),
      maker_(network_.shape(), words_),
      run_(text,
           {options_.epochs, options_.minibatch, options_.patience, options_.learning_rate, options_.seed,
            options_.checkpoint_seconds},
           std::move(checkpoint), network_.tables()) {}

const DirectFeatures* Trainer::add_direct() {
  if (!options_.direct_ngrams) return nullptr;
  const auto ngrams = frequent_ngrams(text_.train(), options_.order, options_.direct_ngrams);
  if (ngrams.empty()) return nullptr;
  direct_.emplace(text_.train(), options_.order, ngrams, words_);
  network_.add_direct(direct_->classes.size(), direct_->words.size());
  return &*direct_;
}

StepOptions Trainer::step_options(uint64_t step, double rate) const {
  // Noise takes logits for normalised, so nothing else need make them so.
  const double penalty = options_.noise_samples ? 0 : options_.self_normalisation;
  return {static_cast<float>(rate), static_cast<float>(options_.l2 / options_.minibatch), static_cast<float>(penalty),
          options_.dropout, mix(options_.seed) ^ mix(~step)};
}

double Trainer::step(const Minibatch& batch, double rate) { return step_.train(batch, step_options(0, rate)); }

std::vector<uint32_t> Trainer::drawn(const Minibatch& batch, bool words) const {
  return step_.drawn(batch, step_options(0, 0).seed, words);
}

NetworkStep::Besides Trainer::making(const TextOrder& order, uint64_t place, Minibatch& batch) {
  const IdStream& text = text_.train();
  const size_t units = (options_.minibatch + contexts_at_once - 1) / contexts_at_once;
  return {LeftOver{1,
                   [this, &text, &order, &batch, place](size_t, size_t) {
                     next_place_ = run_.choose(order, place, positions_);
                     maker_.sort(text, positions_, batch);
                   }},
          LeftOver{units,
                   [this, &text, &batch](size_t unit, size_t) {
                     const size_t rows = positions_.size(), begin = std::min(rows, unit * contexts_at_once);
                     maker_.read(text, positions_, begin, std::min(rows, begin + contexts_at_once), batch);
                   }},
          LeftOver{2, [this, &batch](size_t unit, size_t) {
                     if (unit == 0)
                       maker_.find_sources(batch);
                     else
                       maker_.find_contexts(batch);
                   }}};
}

EpochReport Trainer::run_epoch(Monitor& monitor) {
  const TextOrder order = run_.begin_epoch();
  const TrainingProgress& now = run_.state().progress;
  monitor.start(options_.epochs * run_.tokens());
  monitor.add(now.epoch * run_.tokens() + uint64_t{now.step} * options_.minibatch);
  // While the team learns from one, it makes the other.
  Minibatch batch, next;
  const size_t rows = std::min<uint64_t>(options_.minibatch, text_.train().ids.size());
  positions_.reserve(rows);
  for (Minibatch* either : {&batch, &next}) maker_.reserve(rows, *either);
  for (LeftOver& stage : making(order, now.place, batch)) stage.finish(team_);
  while (!run_.epoch_is_done()) {
    const uint64_t place = next_place_;
    const bool is_last = now.step + 1 == run_.steps();
    const double loss = step_.train(batch, step_options(run_.number(), run_.rate()),
                                    is_last ? NetworkStep::Besides{} : making(order, place, next));
    run_.advance(loss, place);
    monitor.add(batch.size());
    monitor.poll();
    std::swap(batch, next);
    if (run_.is_due()) run_.save();
  }
  run_.end_epoch();
  return run_.finish_epoch(measure(monitor));
}

Trainer::Measured Trainer::measured(Monitor& monitor) {
  const IdStream& stream = text_.heldout();
  std::vector<uint64_t> positions;
  for (uint64_t i = 0; i < stream.ids.size(); ++i)
    if (stream.is_predicted(i)) positions.push_back(i);
  double total = 0, normalisers = 0, squares = 0, of_class = 0, of_word = 0;
  uint64_t words_counted = 0;
  Minibatch batch;
  for (size_t begin = 0; begin < positions.size(); begin += scored_at_once) {
    const size_t count = std::min(scored_at_once, positions.size() - begin);
    maker_.make(stream, std::span(positions).subspan(begin, count), batch);
    const RowScores& scores = step_.score(batch);
    for (size_t row = 0; row < count; ++row) {
      total += static_cast<double>(scores.of_class[row]) + scores.of_word[row];
      const double log_normaliser = static_cast<double>(scores.class_normaliser[row]) + scores.word_normaliser[row];
      normalisers += log_normaliser;
      squares += log_normaliser * log_normaliser;
      of_class += scores.class_normaliser[row];
      of_word += scores.word_normaliser[row];
      words_counted += words_.size_of(batch.classes[row]) > 1;
    }
    monitor.poll();
  }
  const auto count = static_cast<double>(std::max<size_t>(1, positions.size()));
  const double mean = normalisers / count, exponent = -total / count;
  return {{std::exp(exponent), mean, std::sqrt(std::max(0.0, squares / count - mean * mean))},
          of_class / count,
          of_word / static_cast<double>(std::max<uint64_t>(1, words_counted))};
}

void Trainer::centre(Monitor& monitor) {
  const Measured heldout = measured(monitor);
  for (uint32_t number = 0; number < words_.classes(); ++number) {
    network_.class_bias.weights[number] -= static_cast<float>(heldout.class_mean);
    // A class of one word stays certain.
    if (words_.size_of(number) > 1)
      for (uint32_t row = words_.rows.class_begin[number]; row < words_.rows.class_begin[number + 1]; ++row)
        network_.word_bias.weights[row] -= static_cast<float>(heldout.word_mean);
  }
}

void Trainer::write(ModelDescription description, const std::string& path) {
  run_.load_best();
  for (const auto& [name, table] : network_.tables()) LineVector<float>().swap(table->squares);
  Monitor unwatched;
  centre(unwatched);
  description.order = options_.order;
  description.dimension = options_.dimension;
  description.words = text_.words();
  description.reads_source = text_.reads_source();
  description.source_words = text_.source_words();
  description.source_window = options_.source_window;
  const NamedTensors tensors = network_.tensors(words_);
  std::vector<int32_t> classes;
  for (uint32_t number : words_.rows.class_of_word)
    classes.push_back(number == no_row ? -1 : static_cast<int32_t>(number));
  Tensors views;
  for (const auto& [name, values] : tensors) views[name] = std::as_bytes(std::span(values));
  views["class_of_word"] = std::as_bytes(std::span(classes));
  std::optional<DirectTensors> direct;
  if (direct_) direct.emplace(*direct_, words_).add_to(views);
  write_model(description, views, path);
}

}  // namespace dragoman::nlm
