#include "align/training_step.h"

namespace dragoman::align {
namespace {

template <class T>
std::vector<T> copied(std::span<const T> values) {
  return {values.begin(), values.end()};
}

template <class T>
void put(Array<T>& array, std::span<const T> values) {
  array.assign(values.begin(), values.end());
}

}  // namespace

std::vector<std::byte> TrainingStep::pack_pairs(const PairTable& table, std::span<const uint32_t> source_frequencies,
                                                std::span<const uint32_t> target_frequencies) {
  ContainerWriter writer(pairs_kind);
  writer.add("begins", table.begins);
  writer.add("targets", table.targets);
  writer.add("source", source_frequencies);
  writer.add("target", target_frequencies);
  return writer.bytes();
}

std::vector<std::byte> TrainingStep::pack_step(const PairTable& table, const ModelParameters& parameters) {
  ContainerWriter writer(step_kind);
  writer.add_record("parameters", parameters);
  writer.add("forward", table.forward);
  writer.add("backward", table.backward);
  writer.add("null_target", table.null_target);
  writer.add("null_source", table.null_source);
  return writer.bytes();
}

TrainingStep TrainingStep::parse(const Container& pairs, const Container& step) {
  TrainingStep training_step;
  training_step.source_frequencies = copied(pairs.array<uint32_t>("source"));
  training_step.target_frequencies = copied(pairs.array<uint32_t>("target"));
  PairTable& table = training_step.table;
  table.begins = copied(pairs.array<uint64_t>("begins", training_step.source_frequencies.size() + 1));
  put(table.targets, pairs.array<WordId>("targets"));
  if (table.begins.front() != 0 || table.begins.back() != table.size() ||
      !std::is_sorted(table.begins.begin(), table.begins.end()))
    pairs.fail("begins", "is not in order");
  for (WordId target : table.targets)
    if (target >= training_step.target_frequencies.size()) pairs.fail("targets", "holds a word beyond the vocabulary");
  training_step.parameters = step.record<ModelParameters>("parameters");
  if (training_step.parameters.kind > ModelKind::agreement) step.fail("parameters", "is of a model that nobody knows");
  put(table.forward, step.array<Probability>("forward", table.size()));
  put(table.backward, step.array<Probability>("backward", table.size()));
  table.null_target = copied(step.array<float>("null_target", training_step.target_frequencies.size()));
  table.null_source = copied(step.array<float>("null_source", training_step.source_frequencies.size()));
  return training_step;
}

}  // namespace dragoman::align
