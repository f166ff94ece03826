#include "nlm/model_writer.h"

#include <algorithm>
#include <optional>

#include "lm/marks.h"
#include "nlm/direct_tensors.h"
#include "nlm/matrix.h"
#include "nlm/output_layout.h"
#include "nlm/tensor_reader.h"

namespace dragoman::nlm {
namespace {

Vocabulary vocabulary_of(std::string_view option, const std::vector<std::string>& words) {
  constexpr size_t marks = std::size(lm::hidden_marks);
  std::vector<std::string_view> all(std::begin(lm::hidden_marks), std::end(lm::hidden_marks));
  for (const std::string& word : words) {
    if (word.empty() || word.find_first_of(" \t\r\n") != word.npos)
      throw ConfigError(std::string(option), "'" + word + "' is no word");
    all.push_back(word);
  }
  std::vector<std::string_view> sorted(all.begin() + marks, all.end());
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) throw ConfigError(std::string(option), "'" + std::string(*twice) + "' is there twice");
  return Vocabulary::from_words(all, marks);
}

// Rows of contexts as the file has them: diagonals and matrices padded to the stride.
std::vector<float> context_of(TensorReader& reader, const std::string& name, uint32_t count, uint32_t dimension,
                              uint32_t stride, uint32_t& full) {
  full = reader.bytes(name) == uint64_t{count} * dimension * dimension * sizeof(float) && dimension > 1;
  const uint32_t rows = count * (full ? dimension : 1);
  const auto values = reader.values<float>(name, uint64_t{rows} * dimension);
  std::vector<float> padded(uint64_t{rows} * stride);
  for (uint32_t row = 0; row < rows; ++row)
    std::copy_n(values.begin() + uint64_t{row} * dimension, dimension, padded.begin() + uint64_t{row} * stride);
  return padded;
}

std::vector<float> permuted(const std::vector<float>& values, std::span<const uint32_t> order) {
  std::vector<float> made;
  for (uint32_t from : order) made.push_back(values[from]);
  return made;
}

void check(const ModelDescription& description) {
  if (description.order < 2 || description.order > max_order)
    throw ConfigError("order", "must be 2 to " + std::to_string(max_order));
  if (description.dimension < 1 || description.dimension > max_dimension)
    throw ConfigError("dimension", "must be 1 to " + std::to_string(max_dimension));
  if (description.source_window > max_source_window)
    throw ConfigError("source_window", "must be at most " + std::to_string(max_source_window));
  if (description.words.size() > UINT32_MAX / 4 || description.source_words.size() > UINT32_MAX / 4)
    throw ConfigError("words", "are too many");
  if (description.output == Output::tree && description.normalisation != Normalisation::exact)
    throw ConfigError("normalised", "a tree is normalised by itself");
  if (description.output_precision == Precision::int4)
    throw ConfigError("output_precision", "int4 is for input words only");
  if (description.direct_bits != 32 && (description.direct_bits < 2 || description.direct_bits > 8))
    throw ConfigError("direct_bits", "must be 2 to 8, or 32 for floats");
}

}  // namespace

void write_model(const ModelDescription& description, const Tensors& tensors, const std::string& path) {
  check(description);
  TensorReader reader(tensors);
  ContainerWriter writer(file_kind);
  Header header{};
  header.version = format_version;
  header.output = description.output;
  header.normalisation = description.normalisation;
  header.order = description.order;
  header.dimension = description.dimension;
  header.stride = stride_of(description.dimension);
  header.input_precision = description.input_precision;
  header.output_precision = description.output_precision;

  const Vocabulary words = vocabulary_of("words", description.words);
  header.words = words.size();
  words.add_to(writer, "words");
  const uint32_t dimension = description.dimension, stride = header.stride;
  const EncodedMatrix input = reader.matrix("input", description.input_precision, header.words, dimension, stride);
  input.add_to(writer, "input");
  const auto context = context_of(reader, "context", header.order - 1, dimension, stride, header.full_context);
  writer.add("context", context);
  std::vector<float> hidden_bias(stride);
  if (reader.has("hidden_bias")) std::ranges::copy(reader.values<float>("hidden_bias", dimension), hidden_bias.begin());
  writer.add("hidden_bias", hidden_bias);

  Vocabulary source_words = Vocabulary::from_words({});
  EncodedMatrix source_input;
  std::vector<float> source_context;
  if (description.reads_source) {
    source_words = vocabulary_of("source_words", description.source_words);
    header.source_words = source_words.size();
    header.source_window = description.source_window;
    source_words.add_to(writer, "source_words");
    source_input = reader.matrix("source_input", description.input_precision, header.source_words, dimension, stride);
    source_input.add_to(writer, "source_input");
    source_context = context_of(reader, "source_context", 2 * header.source_window + 1, dimension, stride,
                                header.full_source_context);
    writer.add("source_context", source_context);
  }

  OutputRows rows;
  OutputTree tree;
  EncodedMatrix class_weights, word_weights, node_weights;
  std::vector<float> class_bias, word_bias, node_bias;
  std::optional<DirectSections> direct;
  if (description.output == Output::tree) {
    const uint32_t nodes = header.words - 3;
    tree = OutputTree::of(reader.values<int32_t>("node_children", uint64_t{nodes} * 2), header.words);
    node_weights = reader.matrix("node_weights", description.output_precision, nodes, dimension, stride, tree.nodes);
    node_weights.add_to(writer, "node_weights");
    node_bias = permuted(reader.values<float>("node_bias", nodes), tree.nodes);
    writer.add("node_bias", node_bias);
    writer.add("node_parent", tree.node_parent);
    writer.add("word_parent", tree.word_parent);
    if (reader.has("direct_contexts")) throw ConfigError("direct_contexts", "a tree has no direct n-grams");
  } else {
    if (description.output == Output::classes) {
      class_bias = reader.all<float>("class_bias");
      if (class_bias.empty() || class_bias.size() > header.words)
        throw ConfigError("class_bias", "must have between one class and as many as words");
      header.classes = static_cast<uint32_t>(class_bias.size());
      rows = OutputRows::of(reader.values<int32_t>("class_of_word", header.words), header.classes);
      class_weights = reader.matrix("class_weights", description.output_precision, header.classes, dimension, stride);
      class_weights.add_to(writer, "class_weights");
      writer.add("class_bias", class_bias);
    } else {
      header.classes = 1;
      rows = OutputRows::of(std::vector<int32_t>(header.words), 1);
    }
    writer.add("class_begin", rows.class_begin);
    writer.add("row_of_word", rows.row_of_word);
    writer.add("class_of_word", rows.class_of_word);
    word_weights =
        reader.matrix("word_weights", description.output_precision, header.words, dimension, stride, rows.words);
    word_weights.add_to(writer, "word_weights");
    word_bias = permuted(reader.values<float>("word_bias", header.words), rows.words);
    writer.add("word_bias", word_bias);
    if (reader.has("direct_contexts")) {
      direct.emplace(direct_table(reader, description, header, rows), header.words, header.classes,
                     description.direct_bits, header);
      direct->add_to(writer);
    }
  }
  reader.all_used();
  writer.add("info", std::as_bytes(std::span(description.info)));
  writer.add_record("header", header);
  writer.write(path);
}

}  // namespace dragoman::nlm
