#include "nlm/network.h"

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "base/random.h"

namespace dragoman::nlm {
namespace {

// Bias of ids that are never predicted.
constexpr float never = -30;

void fill_normal(ParameterTable& table, double mean, double deviation, uint64_t seed, uint64_t stream) {
  for (uint32_t row = 0; row < table.rows; ++row) {
    Random random(seed, stream << 32 | row);
    float* weights = table.row(row);
    for (uint32_t i = 0; i < table.width; ++i) weights[i] = static_cast<float>(mean + deviation * random.normal());
  }
}

ParameterTable bias_table(uint32_t size) { return ParameterTable(1, size); }

// Diagonals near 1, or matrices that preserve length.
ParameterTable context_table(uint32_t places, const NetworkShape& shape, uint64_t seed, uint64_t stream) {
  ParameterTable table(shape.full ? places * shape.dimension : places, shape.dimension);
  if (shape.initial_deviation > 0)
    fill_normal(table, 0, shape.initial_deviation, seed, stream);
  else if (shape.full)
    fill_normal(table, 0, 1 / std::sqrt(shape.dimension * std::max(1.0, places / 4.0)), seed, stream);
  else
    fill_normal(table, 1, 0.1, seed, stream);
  return table;
}

// Where the rows of a table stand in its tensor: the output layer's words are by class in the one, by id in the other.
struct RowPlaces {
  size_t rows, tensor_rows, stride, width;
  const uint32_t* words = nullptr;

  RowPlaces(const ParameterTable& table, const Network& network, const ClassedWords& classed)
      : rows(table.rows), tensor_rows(table.rows), stride(table.stride), width(table.width) {
    const bool is_bias = &table == &network.word_bias;
    if (!is_bias && &table != &network.word_weights) return;
    rows = classed.rows.words.size();
    tensor_rows = network.shape().words;
    words = classed.rows.words.data();
    if (is_bias) stride = width = 1;
  }
  size_t of(size_t row) const { return words ? words[row] : row; }
};

}  // namespace

ClassedWords::ClassedWords(std::vector<int32_t> class_of_word, std::span<const uint64_t> word_counts) {
  // Classes that have no words are passed over.
  const int32_t most = std::ranges::max(class_of_word);
  std::vector<int32_t> number(static_cast<size_t>(most) + 1, -1);
  for (int32_t old : class_of_word)
    if (old >= 0) number[old] = 0;
  int32_t classes = 0;
  for (int32_t& renumbered : number)
    if (renumbered == 0) renumbered = classes++;
  for (int32_t& of_word : class_of_word)
    if (of_word >= 0) of_word = number[of_word];
  rows = OutputRows::of(class_of_word, static_cast<uint32_t>(classes));
  for (uint32_t word : rows.words) counts.push_back(std::max(0.5, static_cast<double>(word_counts[word])));
}

double ClassedWords::count_of(uint32_t number) const {
  double total = 0;
  for (uint32_t row = rows.class_begin[number]; row < rows.class_begin[number + 1]; ++row) total += counts[row];
  return total;
}

Network::Network(const NetworkShape& shape, const ClassedWords& words, uint64_t seed) : shape_(shape) {
  const double deviation = shape.initial_deviation > 0 ? shape.initial_deviation : 0.1;
  input = ParameterTable(shape.words, shape.dimension);
  fill_normal(input, 0, deviation, seed, 1);
  context = context_table(shape.places(), shape, seed, 2);
  if (shape.hidden_bias) hidden_bias = bias_table(shape.dimension);
  if (shape.source_words) {
    source_input = ParameterTable(shape.source_words, shape.dimension);
    fill_normal(source_input, 0, deviation, seed, 3);
    source_context = context_table(shape.source_places(), shape, seed, 4);
  }
  class_weights = ParameterTable(words.classes(), shape.dimension);
  fill_normal(class_weights, 0, deviation, seed, 5);
  word_weights = ParameterTable(static_cast<uint32_t>(words.rows.words.size()), shape.dimension);
  fill_normal(word_weights, 0, deviation, seed, 6);
  // Biases start at the log of the unigram (thesis 4.3).
  class_bias = bias_table(words.classes());
  word_bias = bias_table(word_weights.rows);
  double total = 0;
  for (double count : words.counts) total += count;
  for (uint32_t number = 0; number < words.classes(); ++number) {
    const double of_class = words.count_of(number);
    class_bias.weights[number] = static_cast<float>(std::log(of_class / total));
    for (uint32_t row = words.rows.class_begin[number]; row < words.rows.class_begin[number + 1]; ++row)
      word_bias.weights[row] = static_cast<float>(std::log(words.counts[row] / of_class));
    // A class of one word is certain: a logit of 0 says so with a normaliser and without.
    if (words.size_of(number) == 1) std::fill_n(word_weights.row(words.rows.class_begin[number]), shape.dimension, 0.f);
  }
}

void Network::add_direct(size_t class_features, size_t word_features) {
  direct_class_weights = ParameterTable(1, static_cast<uint32_t>(class_features));
  direct_word_weights = ParameterTable(1, static_cast<uint32_t>(word_features));
}

LearnedTables Network::tables() {
  LearnedTables all{
      {"input", &input},
      {"context", &context},
      {"hidden_bias", &hidden_bias},
      {"source_input", &source_input},
      {"source_context", &source_context},
      {"class_weights", &class_weights},
      {"class_bias", &class_bias},
      {"word_weights", &word_weights},
      {"word_bias", &word_bias},
      {"direct_class_weights", &direct_class_weights},
      {"direct_word_weights", &direct_word_weights},
  };
  std::erase_if(all, [](const auto& entry) { return entry.second->empty(); });
  return all;
}

uint64_t Network::parameters() {
  uint64_t total = 0;
  for (const auto& [name, table] : tables()) total += uint64_t{table->rows} * table->width;
  return total;
}

NamedTensors Network::tensors(const ClassedWords& words, LineVector<float> ParameterTable::* kind) {
  NamedTensors all;
  for (const auto& [name, table] : tables()) {
    const RowPlaces places(*table, *this, words);
    const LineVector<float>& from = table->*kind;
    std::vector<float>& to = all[name];
    to.assign(places.tensor_rows * places.width, table == &word_bias ? never : 0.f);
    for (size_t row = 0; row < places.rows; ++row)
      std::copy_n(from.data() + row * places.stride, places.width, to.data() + places.of(row) * places.width);
  }
  return all;
}

void Network::set_tensors(const NamedTensors& tensors, const ClassedWords& words) {
  for (const auto& [name, table] : tables()) {
    const auto given = tensors.find(name);
    if (given == tensors.end()) continue;
    const RowPlaces places(*table, *this, words);
    if (given->second.size() != places.tensor_rows * places.width)
      throw ConfigError(name, "has not the size of this network");
    for (size_t row = 0; row < places.rows; ++row)
      std::copy_n(given->second.data() + places.of(row) * places.width, places.width,
                  table->weights.data() + row * places.stride);
  }
}

}  // namespace dragoman::nlm
