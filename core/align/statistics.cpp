#include "align/statistics.h"

#include "base/errors.h"

namespace dragoman::align {
namespace {

// The E-step of any of the models.
class TrainingVisitor : public PairVisitor {
 public:
  TrainingVisitor(const ModelParameters& parameters, Statistics& statistics, size_t shard)
      : parameters_(parameters), statistics_(statistics), shard_(shard) {}

  void visit(size_t, PairMatrix& matrix) override {
    inference_.posteriors(parameters_, matrix, &sums_, &statistics_.forward, &statistics_.backward);
    if (parameters_.kind == ModelKind::agreement) agree(matrix);
  }
  void finish() override {
    statistics_.forward.add(sums_.hmm_forward.jumps);
    statistics_.backward.add(sums_.hmm_backward.jumps);
    const double log_likelihood =
        sums_.log_likelihood + (sums_.hmm_forward.log_likelihood + sums_.hmm_backward.log_likelihood +
                                sums_.diagonal_forward.log_likelihood + sums_.diagonal_backward.log_likelihood);
    statistics_.shards[shard_] = {log_likelihood, sums_.diagonal_forward, sums_.diagonal_backward};
    statistics_.summed[shard_] = 1;
  }

 private:
  const ModelParameters& parameters_;
  Statistics& statistics_;
  const size_t shard_;
  ModelSums sums_;
  Inference inference_;
};

}  // namespace

void Statistics::clear() {
  counts.clear();
  forward.clear();
  backward.clear();
  std::fill(shards.begin(), shards.end(), ShardSums{});
  std::fill(summed.begin(), summed.end(), 0);
}

std::vector<std::byte> Statistics::pack(size_t first) const {
  std::vector<uint8_t> sums;
  counts.append_to(sums);
  forward.append_to(sums);
  backward.append_to(sums);
  ContainerWriter writer(kind);
  writer.add_record("first", uint64_t{first});
  writer.add("shards", shards);
  writer.add("sums", sums);
  return writer.bytes();
}

void Statistics::add(const Container& message) {
  const auto first = message.record<uint64_t>("first");
  const auto added = message.array<ShardSums>("shards");
  if (first > shards.size() || added.size() > shards.size() - first)
    message.fail("shards", "has more shards than there are");
  for (size_t n = 0; n < added.size(); ++n)
    if (summed[first + n]) throw InputError(0, "shard " + std::to_string(first + n) + " was summed twice");
  VarintReader sums(message.array<uint8_t>("sums"));
  if (!counts.add_from(sums) || !forward.add_from(sums) || !backward.add_from(sums) || !sums.done())
    message.fail("sums", "does not fit the table");
  for (size_t n = 0; n < added.size(); ++n) {
    shards[first + n] = added[n];
    summed[first + n] = 1;
  }
}

void sum_shards(Sweep& sweep, const PairTable& table, const ModelParameters& parameters, Statistics& statistics,
                size_t threads, Monitor& monitor) {
  sweep.run(table, &statistics.counts, threads, monitor,
            [&](size_t shard) { return std::make_unique<TrainingVisitor>(parameters, statistics, shard); });
}

}  // namespace dragoman::align
