// nlm.bin and source_nlm.bin: every kind of output layer and of precision, with and without direct n-grams.
#include <cmath>
#include <cstdio>

#include "nlm/model_writer.h"
#include "nlm/neural_model.h"
#include "nlm/session.h"
#include "nlm/text_scores.h"
#include "nlm/word_trees.h"
#include "tests/fuzz/target.h"

namespace dragoman::fuzz {
namespace {

using namespace nlm;

constexpr uint32_t words = 14, dimension = 10, classes = 4, order = 4;

// The tensors of a random model.
struct Parts {
  ModelDescription description;
  std::map<std::string, std::vector<float>> floats;
  std::map<std::string, std::vector<int32_t>> ints;
  std::map<std::string, std::vector<int64_t>> longs;
  Random random{9};

  void fill(const std::string& name, size_t count) {
    std::normal_distribution<float> normal(0, 0.5f);
    for (size_t i = 0; i < count; ++i) floats[name].push_back(normal(random));
  }

  Parts(Output output, bool full, bool source) {
    const uint32_t size = words + first_real_word;
    description.order = order;
    description.dimension = dimension;
    description.output = output;
    description.info = "{}";
    for (uint32_t i = 0; i < words; ++i) description.words.push_back("w" + std::to_string(i));
    fill("input", size_t{size} * dimension);
    fill("context", size_t{order - 1} * dimension * (full ? dimension : 1));
    fill("hidden_bias", dimension);
    if (source) {
      description.reads_source = true;
      description.source_words = {"s0", "s1"};
      description.source_window = 1;
      fill("source_input", size_t{2 + first_real_word} * dimension);
      fill("source_context", size_t{3} * dimension * (full ? dimension : 1));
    }
    if (output == Output::tree) {
      ints["node_children"] = huffman_tree(std::vector<uint64_t>(size, 3));
      fill("node_weights", size_t{size - 3} * dimension);
      fill("node_bias", size - 3);
      return;
    }
    fill("word_weights", size_t{size} * dimension);
    fill("word_bias", size);
    if (output == Output::flat) return;
    for (uint32_t i = 0; i < size; ++i) ints["class_of_word"].push_back(static_cast<int32_t>(i % classes));
    fill("class_weights", size_t{classes} * dimension);
    fill("class_bias", classes);
    add_direct(static_cast<int32_t>(size));
  }

  void add_direct(int32_t size) {
    for (int32_t i = 1; i < size; ++i) {
      ints["direct_contexts"].insert(ints["direct_contexts"].end(), {i, i % 3 ? -1 : i / 2 + 1, -1});
      ints["direct_words"].insert(ints["direct_words"].end(), {3, 4 + i % 10});
      ints["direct_classes"].push_back(i % static_cast<int32_t>(classes));
    }
    for (int32_t i = 0; i < size; ++i) {
      longs["direct_word_begin"].push_back(2 * i);
      longs["direct_class_begin"].push_back(i);
    }
    fill("direct_word_weights", 2 * static_cast<size_t>(size - 1));
    fill("direct_class_weights", static_cast<size_t>(size - 1));
  }

  Bytes file(Precision input, Precision output, uint32_t direct_bits) {
    description.input_precision = input;
    description.output_precision = output;
    description.direct_bits = direct_bits;
    Tensors tensors;
    for (const auto& [name, values] : floats) tensors[name] = std::as_bytes(std::span(values));
    for (const auto& [name, values] : ints) tensors[name] = std::as_bytes(std::span(values));
    for (const auto& [name, values] : longs) tensors[name] = std::as_bytes(std::span(values));
    write_model(description, tensors, temporary_path());
    const auto buffer = Buffer::map(temporary_path());
    std::remove(temporary_path().c_str());
    return {buffer->bytes().begin(), buffer->bytes().end()};
  }
};

std::vector<Bytes> seeds() {
  return {Parts(Output::classes, false, false).file(Precision::f32, Precision::f32, 32),
          Parts(Output::classes, true, true).file(Precision::int4, Precision::int8, 4),
          Parts(Output::tree, false, true).file(Precision::f16, Precision::int8, 32),
          Parts(Output::tree, true, false).file(Precision::int8, Precision::f16, 32),
          Parts(Output::flat, false, false).file(Precision::int8, Precision::int8, 32)};
}

void use_session(const NeuralModel& model) {
  Random random(4);
  Session session(model);
  const WordId source[] = {4, 5, 1};
  session.begin(std::span(source).first(model.reads_source() ? 3 : 0));
  constexpr size_t count = 60;
  std::vector<WordId> ids;
  for (size_t i = 0; i < count * lm::max_order; ++i)
    ids.push_back(static_cast<WordId>(random() % (std::min(model.header().words, 50u) + 2)));
  std::vector<Query> queries;
  for (size_t i = 0; i < count; ++i)
    queries.push_back({ids.data() + i / 2 * lm::max_order, ids[i], static_cast<uint32_t>(random() % 5)});
  std::vector<float> scores(count);
  for (size_t at = 0; at < count; at += 15) session.score(std::span(queries).subspan(at, 15), scores.data() + at);
  for (float score : scores) require(std::isfinite(score), "a score that no search can order");
}

void use(Bytes file) {
  const NeuralModel model = NeuralModel::parse(Container::parse(Buffer::own(std::move(file), "file"), file_kind));
  for (KernelLevel level : {KernelLevel::baseline, best_kernel_level()})
    for (Normalisation normalisation : {Normalisation::exact, Normalisation::none})
      use_session(model.with_kernels(level).with_normalisation(normalisation));
  Monitor monitor;
  const SourceLines lines{"s0 s1\n", "0-0 1-1\n"};
  score_text(model, "w1 w2 x\n", model.reads_source() ? &lines : nullptr, false, 1, monitor);
  attempt([&] { model.info(); });
  attempt([&] {
    const bool tree = model.header().output == Output::tree;
    write_requantised(model, {Precision::int4, Precision::int8, 3, tree ? Normalisation::exact : Normalisation::self},
                      temporary_path());
    use_session(NeuralModel::open(temporary_path()));
  });
  std::remove(temporary_path().c_str());
}

}  // namespace

const Target neural_target{"neural", seeds, use};

}  // namespace dragoman::fuzz
