#include "align/training.h"

#include <algorithm>

#include "align/shard_text.h"
#include "align/training_step.h"
#include "base/errors.h"

namespace dragoman::align {
namespace {

size_t steps_of(const TrainingOptions& options) {
  options.check();
  return options.ibm1_iterations - 2 + (options.model == ModelKind::ibm1 ? 0 : options.iterations);
}

Cooccurrences cooccurrences_of(const Bitext& bitext, const TrainingOptions& options, Monitor& monitor) {
  monitor.start(bitext.size() * steps_of(options));
  return find_cooccurrences(bitext, {options.min_count, max_training_words, options.threads, options.most_tokens},
                            monitor);
}

}  // namespace

Training::Training(const Bitext& bitext, const TrainingOptions& options, Monitor& monitor)
    : Training(bitext, options, cooccurrences_of(bitext, options, monitor), monitor) {}

Training::Training(const Bitext& bitext, const TrainingOptions& options, Cooccurrences cooccurrences, Monitor& monitor)
    : bitext_(bitext),
      options_(options),
      steps_(steps_of(options)),
      maximizer_(bitext, options.smoothing),
      sweep_(
          bitext, [&](size_t pair) { return trainable(bitext, pair, max_training_words); }, options.shard_cells),
      statistics_(std::move(cooccurrences.counts), sweep_.shards(), max_training_words),
      model_{{}, std::move(cooccurrences.table), {}} {
  model_.parameters.kind = ModelKind::ibm1;
  maximizer_.maximize(model_.table, statistics_.counts, options.threads, monitor);
  begin_step();
}

void Training::begin_step() {
  if (step_ + 2 >= options_.ibm1_iterations) model_.parameters.kind = options_.model;
  statistics_.clear();
}

void Training::sum(Monitor& monitor) {
  sum_shards(sweep_, model_.table, model_.parameters, statistics_, options_.threads, monitor);
}

std::vector<std::byte> Training::pairs() const {
  return TrainingStep::pack_pairs(model_.table, bitext_.source.frequencies(), bitext_.target.frequencies());
}

std::vector<std::byte> Training::step() const { return TrainingStep::pack_step(model_.table, model_.parameters); }

std::vector<std::byte> Training::text(size_t first, size_t last) const {
  return ShardText::pack(bitext_, sweep_, first, last);
}

void Training::finish_step(Monitor& monitor) {
  if (done() || std::find(statistics_.summed.begin(), statistics_.summed.end(), 0) != statistics_.summed.end())
    throw InputError(0, "a step of training is not finished before all of its shards are summed");
  maximizer_.maximize(model_.table, statistics_.counts, options_.threads, monitor);
  double log_likelihood = 0;
  DiagonalSums forward, backward;
  for (const ShardSums& shard : statistics_.shards) {
    log_likelihood += shard.log_likelihood;
    forward.add(shard.forward);
    backward.add(shard.backward);
  }
  model_.log_likelihoods.push_back(log_likelihood);
  ModelParameters& parameters = model_.parameters;
  if (parameters.kind == ModelKind::diagonal) {
    parameters.diagonal_forward.tension = updated_tension(parameters.diagonal_forward.tension, forward);
    parameters.diagonal_backward.tension = updated_tension(parameters.diagonal_backward.tension, backward);
  } else if (parameters.kind != ModelKind::ibm1) {
    parameters.hmm_forward.jumps.update(statistics_.forward);
    parameters.hmm_backward.jumps.update(statistics_.backward);
  }
  ++step_;
  begin_step();
}

TrainedModel Training::finish() {
  model_.parameters.kind = options_.model;
  return std::move(model_);
}

TrainedModel train(const Bitext& bitext, const TrainingOptions& options, Monitor& monitor) {
  Training training(bitext, options, monitor);
  while (!training.done()) {
    training.sum(monitor);
    training.finish_step(monitor);
  }
  return training.finish();
}

std::vector<std::byte> work_on_shards(const Container& pairs, const Container& step, const Container& text,
                                      size_t threads, Monitor& monitor) {
  const TrainingStep model = TrainingStep::parse(pairs, step);
  const auto& source = model.source_frequencies;
  const auto& target = model.target_frequencies;
  const ShardText shards = ShardText::parse(text, source.size(), target.size());
  for (size_t pair = 0; pair < shards.bitext.size(); ++pair)
    if (!trainable(shards.bitext, pair, max_training_words))
      text.fail("source.begins", "has a sentence that nothing is learned from");
  Sweep sweep(shards.bitext, shards.begins);
  Statistics statistics(PairCounts(model.table.size(), source, target), sweep.shards(), max_training_words);
  monitor.start(shards.bitext.size());
  sum_shards(sweep, model.table, model.parameters, statistics, threads, monitor);
  return statistics.pack(shards.first);
}

}  // namespace dragoman::align
