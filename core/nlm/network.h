// A class-factored network in training (thesis 4.3 to 4.9): its sizes, its weights by the names they have among the
// tensors of nlm.bin (model_writer.h), and how they start.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "nlm/output_layout.h"
#include "nlm/training_state.h"

namespace dragoman::nlm {

struct NetworkShape {
  uint32_t order = 5, dimension = 0;
  bool full = false;  // matrices instead of diagonals
  uint32_t words = 0;
  uint32_t source_words = 0, source_window = 0;  // of models that read the source
  float initial_deviation = 0;                   // 0: so scaled that the hidden layer starts alive
  bool hidden_bias = true;

  uint32_t places() const { return order - 1; }
  uint32_t source_places() const { return source_words ? 2 * source_window + 1 : 0; }
};

// The words of the output layer, class by class, and how often each occurs.
struct ClassedWords {
  OutputRows rows;
  std::vector<double> counts;  // by row of the output layer

  // `counts` by word id. A word that was not counted may still come: it gets half the weight of a word seen once.
  ClassedWords(std::vector<int32_t> class_of_word, std::span<const uint64_t> counts);

  uint32_t classes() const { return static_cast<uint32_t>(rows.class_begin.size() - 1); }
  uint32_t size_of(uint32_t number) const { return rows.class_begin[number + 1] - rows.class_begin[number]; }
  double count_of(uint32_t number) const;
};

using NamedTensors = std::map<std::string, std::vector<float>>;

class Network {
 public:
  Network(const NetworkShape& shape, const ClassedWords& words, uint64_t seed);

  const NetworkShape& shape() const { return shape_; }
  // Weights of direct n-grams (direct_features.h), all 0.
  void add_direct(size_t class_features, size_t word_features);

  ParameterTable input, context, hidden_bias, source_input, source_context;
  ParameterTable class_weights, class_bias, word_weights, word_bias;
  ParameterTable direct_class_weights, direct_word_weights;

  // Every table there is, with its name, in one order.
  LearnedTables tables();
  uint64_t parameters();

  // Tensors as nlm.bin is written from: without padding, words of the output layer by id. Of the weights, or of their
  // squares.
  NamedTensors tensors(const ClassedWords& words,
                       LineVector<float> ParameterTable::* values = &ParameterTable::weights);
  // Takes over weights of that form; those that are not given stay.
  void set_tensors(const NamedTensors& tensors, const ClassedWords& words);

 private:
  NetworkShape shape_;
};

}  // namespace dragoman::nlm
