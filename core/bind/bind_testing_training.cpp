// A network in training from inside, in `_core.testing`: its weights, what AdaGrad remembers, and single steps.
#include "bind/buffer_argument.h"
#include "bind/testing.h"
#include "nlm/trainer.h"

namespace dragoman::bind {
namespace {

using namespace nlm;

nb::dict tensors_dict(const NamedTensors& tensors) {
  nb::dict buffers;
  for (const auto& [name, values] : tensors) buffers[name.c_str()] = bytes_of(values);
  return buffers;
}

void set_tensors(Trainer& trainer, const nb::dict& tensors) {
  NamedTensors given;
  for (auto [key, value] : tensors) {
    const auto name = nb::cast<std::string>(key);
    given[name] = BufferArgument(value, name).values<float>(name);
  }
  trainer.network().set_tensors(given, trainer.words());
}

std::vector<WordId> known_ids(nb::handle ids, const char* name, uint32_t size) {
  auto known = BufferArgument(ids, name).values<WordId>(name);
  for (WordId id : known)
    if (id >= size) throw ConfigError(name, "holds what is no word");
  return known;
}

Minibatch minibatch_of(Trainer& trainer, nb::handle words, nb::handle contexts, nb::handle sources) {
  const NetworkShape& shape = trainer.network().shape();
  const auto word_ids = known_ids(words, "words", shape.words);
  const auto context_ids = known_ids(contexts, "contexts", shape.words);
  const auto source_ids = known_ids(sources, "sources", shape.source_words);
  if (context_ids.size() != word_ids.size() * shape.places() ||
      source_ids.size() != word_ids.size() * shape.source_places())
    throw ConfigError("contexts", "must be there for every word");
  for (WordId id : word_ids)
    if (trainer.words().rows.class_of_word[id] == no_row) throw ConfigError("words", "holds what is never predicted");
  Minibatch batch;
  trainer.maker().make(word_ids, context_ids, source_ids, batch);
  return batch;
}

// Rows of the output layer as ids of words.
nb::tuple drawn_noise(Trainer& trainer, nb::handle words, nb::handle contexts, nb::handle sources) {
  const Minibatch batch = minibatch_of(trainer, words, contexts, sources);
  std::vector<uint32_t> of_words = trainer.drawn(batch, true);
  for (uint32_t& row : of_words) row = trainer.words().rows.words[row];
  return nb::make_tuple(bytes_of(trainer.drawn(batch, false)), bytes_of(of_words));
}

// Sums of the products of two matrices, often enough to be timed; the caller takes the time.
double multiply(uint32_t rows, uint32_t columns, uint32_t depth, uint32_t times) {
  const std::vector<float> left(size_t{rows} * depth, 0.5f), right(size_t{depth} * padded(columns), 0.25f);
  std::vector<float> product(size_t{rows} * padded(columns));
  double total = 0;
  for (uint32_t i = 0; i < times; ++i) {
    training_kernels().multiply({left.data(), depth, 1}, {right.data(), padded(columns)}, product.data(),
                                padded(columns), rows, padded(columns), depth, false);
    total += product[i % product.size()];
  }
  return total;
}

}  // namespace

void register_testing_training(nb::module_& module) {
  module.def(
      "network_weights", [](Trainer& trainer) { return tensors_dict(trainer.network().tensors(trainer.words())); },
      nb::arg("trainer"), "Tensors (float) by the names of nlm.bin.");
  module.def(
      "network_squares",
      [](Trainer& trainer) {
        return tensors_dict(trainer.network().tensors(trainer.words(), &ParameterTable::squares));
      },
      nb::arg("trainer"));
  module.def("set_network_weights", &set_tensors, nb::arg("trainer"), nb::arg("tensors"));
  module.def(
      "network_step",
      [](Trainer& trainer, nb::handle words, nb::handle contexts, nb::handle sources, double rate) {
        return trainer.step(minibatch_of(trainer, words, contexts, sources), rate);
      },
      nb::arg("trainer"), nb::arg("words"), nb::arg("contexts"), nb::arg("sources"), nb::arg("rate"),
      "Trains on a minibatch; returns its summed loss.");
  module.def("multiply", &multiply, nb::arg("rows"), nb::arg("columns"), nb::arg("depth"), nb::arg("times"),
             nb::call_guard<nb::gil_scoped_release>(), "Multiplies matrices of such sizes, again and again.");
  module.def(
      "network_noise", &drawn_noise, nb::arg("trainer"), nb::arg("words"), nb::arg("contexts"), nb::arg("sources"),
      "Classes and words that the rows of a minibatch draw in a step, by class; a class of one word draws none.");
}

}  // namespace dragoman::bind
