#include "align/trainer.h"

#include "align/sweep.h"
#include "base/errors.h"

namespace dragoman::align {
namespace {

// The E-step of any of the models.
class TrainingVisitor : public PairVisitor {
 public:
  TrainingVisitor(const ModelParameters& parameters, ModelSums& sums, JumpStatistics& forward, JumpStatistics& backward)
      : parameters_(parameters), sums_(sums), forward_(forward), backward_(backward) {}

  void visit(size_t, PairMatrix& matrix) override {
    inference_.posteriors(parameters_, matrix, &sums_, &forward_, &backward_);
    if (parameters_.kind == ModelKind::agreement) agree(matrix);
  }
  void finish() override {
    forward_.add(sums_.hmm_forward.jumps);
    backward_.add(sums_.hmm_backward.jumps);
    sums_.log_likelihood += sums_.hmm_forward.log_likelihood + sums_.hmm_backward.log_likelihood +
                            sums_.diagonal_forward.log_likelihood + sums_.diagonal_backward.log_likelihood;
  }

 private:
  const ModelParameters& parameters_;
  ModelSums& sums_;
  JumpStatistics& forward_;
  JumpStatistics& backward_;
  Inference inference_;
};

// What a shard aligned, by rising number of the pair.
struct AlignedPairs {
  std::vector<uint32_t> pairs;
  LinkTable links;

  explicit AlignedPairs(ArrayMemory* memory) : links(memory) {}
};

class LinkVisitor : public PairVisitor {
 public:
  LinkVisitor(const ModelParameters& parameters, Decoding decoding, Symmetrization how, AlignedPairs& aligned)
      : parameters_(parameters), decoding_(decoding), how_(how), aligned_(aligned) {}

  void visit(size_t pair, PairMatrix& matrix) override {
    inference_.links(parameters_, decoding_, matrix, forward_, backward_);
    Links links = symmetrize(forward_, backward_, matrix.source_words, matrix.target_words, how_);
    aligned_.pairs.push_back(static_cast<uint32_t>(pair));
    aligned_.links.add(links);
  }

 private:
  const ModelParameters& parameters_;
  const Decoding decoding_;
  const Symmetrization how_;
  AlignedPairs& aligned_;
  Inference inference_;
  Links forward_, backward_;
};

}  // namespace

void TrainingOptions::check() const {
  if (ibm1_iterations < 2) throw ConfigError("ibm1_iterations", "at least 2 are needed to find the word pairs");
  if (!(min_count >= 0)) throw ConfigError("min_count", "must not be negative");
}

TrainedModel train(const Bitext& bitext, const TrainingOptions& options, Monitor& monitor) {
  options.check();
  const size_t threads = options.threads;
  const size_t own_iterations = options.model == ModelKind::ibm1 ? 0 : options.iterations;
  const size_t sweeps = options.ibm1_iterations - 2 + own_iterations;
  monitor.start(bitext.size() * sweeps);

  Cooccurrences cooccurrences =
      find_cooccurrences(bitext, {options.min_count, max_training_words, threads, options.most_tokens}, monitor);
  TrainedModel model{{}, std::move(cooccurrences.table), {}};
  model.parameters.kind = ModelKind::ibm1;
  PairCounts counts = std::move(cooccurrences.counts);
  const Maximizer maximizer(bitext, options.smoothing);
  maximizer.maximize(model.table, counts, threads, monitor);

  Sweep sweep(bitext, [&](size_t pair) { return trainable(bitext, pair, max_training_words); }, options.shard_cells);
  JumpStatistics forward(max_training_words), backward(max_training_words);
  for (size_t iteration = 0; iteration < sweeps; ++iteration) {
    if (iteration + 2 == options.ibm1_iterations) model.parameters.kind = options.model;
    ModelParameters& parameters = model.parameters;
    counts.clear();
    forward.clear();
    backward.clear();
    std::vector<ModelSums> sums(sweep.shards());
    sweep.run(model.table, &counts, threads, monitor, [&](size_t shard) {
      return std::make_unique<TrainingVisitor>(parameters, sums[shard], forward, backward);
    });
    maximizer.maximize(model.table, counts, threads, monitor);
    double log_likelihood = 0;
    DiagonalSums diagonal_forward, diagonal_backward;
    for (const ModelSums& shard : sums) {
      log_likelihood += shard.log_likelihood;
      diagonal_forward.add(shard.diagonal_forward);
      diagonal_backward.add(shard.diagonal_backward);
    }
    model.log_likelihoods.push_back(log_likelihood);
    if (parameters.kind == ModelKind::diagonal) {
      parameters.diagonal_forward.tension = updated_tension(parameters.diagonal_forward.tension, diagonal_forward);
      parameters.diagonal_backward.tension = updated_tension(parameters.diagonal_backward.tension, diagonal_backward);
    } else if (parameters.kind != ModelKind::ibm1) {
      parameters.hmm_forward.jumps.update(forward);
      parameters.hmm_backward.jumps.update(backward);
    }
  }
  model.parameters.kind = options.model;
  return model;
}

LinkTable align_bitext(const Bitext& bitext, const TrainedModel& model, Decoding decoding, Symmetrization how,
                       size_t threads, Monitor& monitor) {
  Sweep sweep(
      bitext,
      [&](size_t pair) {
        const size_t source = bitext.source.length(pair), target = bitext.target.length(pair);
        return source > 0 && target > 0 && source <= UINT16_MAX && target <= UINT16_MAX && source * target <= max_cells;
      },
      TrainingOptions().shard_cells);
  ArrayMemory* const memory = bitext.memory();
  std::vector<AlignedPairs> shards;
  for (size_t shard = 0; shard < sweep.shards(); ++shard) shards.emplace_back(memory);
  monitor.start(bitext.size());
  sweep.run(model.table, nullptr, threads, monitor, [&](size_t shard) {
    return std::make_unique<LinkVisitor>(model.parameters, decoding, how, shards[shard]);
  });
  LinkTable table(memory);
  Links none;
  auto fill_up = [&](size_t pair) {
    while (table.size() < pair) table.add(none);
  };
  for (AlignedPairs& shard : shards) {
    for (size_t n = 0; n < shard.pairs.size(); ++n) {
      fill_up(shard.pairs[n]);
      table.append(shard.links, n);
    }
    shard = AlignedPairs(memory);
  }
  fill_up(bitext.size());
  return table;
}

}  // namespace dragoman::align
