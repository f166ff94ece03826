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
  std::vector<float> ordered;
  for (uint32_t from : order) ordered.push_back(values[from]);
  return ordered;
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

// The parts of a model as they are written. The writer holds views of them, so they live until the file is there.

// The words that one side reads: their vectors, and what each place of the context makes of these.
struct InputLayer {
  std::string side;  // what the names of its tensors and sections begin with
  Vocabulary words;
  EncodedMatrix vectors;
  uint32_t full = 0;
  std::vector<float> context;

  InputLayer(TensorReader& reader, std::string side_name, const std::vector<std::string>& list, uint32_t places,
             const ModelDescription& description)
      : side(std::move(side_name)), words(vocabulary_of(side + "words", list)) {
    const uint32_t stride = stride_of(description.dimension);
    vectors = reader.matrix(side + "input", description.input_precision, words.size(), description.dimension, stride);
    context = context_of(reader, side + "context", places, description.dimension, stride, full);
  }
  void add_to(ContainerWriter& writer) const {
    words.add_to(writer, side + "words");
    vectors.add_to(writer, side + "input");
    writer.add(side + "context", context);
  }
};

struct TreeOutput {
  OutputTree tree;
  EncodedMatrix weights;
  std::vector<float> bias;

  TreeOutput(TensorReader& reader, const ModelDescription& description, const Header& header) {
    const uint32_t nodes = header.words - 3;
    tree = OutputTree::of(reader.values<int32_t>("node_children", uint64_t{nodes} * 2), header.words);
    weights =
        reader.matrix("node_weights", description.output_precision, nodes, header.dimension, header.stride, tree.nodes);
    bias = permuted(reader.values<float>("node_bias", nodes), tree.nodes);
    if (reader.has("direct_contexts")) throw ConfigError("direct_contexts", "a tree has no direct n-grams");
  }
  void add_to(ContainerWriter& writer) const {
    weights.add_to(writer, "node_weights");
    writer.add("node_bias", bias);
    writer.add("node_parent", tree.node_parent);
    writer.add("word_parent", tree.word_parent);
  }
};

struct ClassOutput {
  std::vector<float> bias;
  EncodedMatrix weights;
  OutputRows rows;

  ClassOutput(TensorReader& reader, const ModelDescription& description, const Header& header)
      : bias(reader.all<float>("class_bias")) {
    if (bias.empty() || bias.size() > header.words)
      throw ConfigError("class_bias", "must have between one class and as many as words");
    const auto classes = static_cast<uint32_t>(bias.size());
    rows = OutputRows::of(reader.values<int32_t>("class_of_word", header.words), classes);
    weights = reader.matrix("class_weights", description.output_precision, classes, header.dimension, header.stride);
  }
  void add_to(ContainerWriter& writer) const {
    weights.add_to(writer, "class_weights");
    writer.add("class_bias", bias);
  }
};

// Rows of words, in one class or in many, with direct n-grams if there are any. The header learns how many of each.
struct WordOutput {
  std::optional<ClassOutput> classes;
  OutputRows rows;
  EncodedMatrix weights;
  std::vector<float> bias;
  std::optional<DirectSections> direct;

  WordOutput(TensorReader& reader, const ModelDescription& description, Header& header) {
    if (description.output == Output::classes) classes.emplace(reader, description, header);
    header.classes = classes ? static_cast<uint32_t>(classes->bias.size()) : 1;
    rows = classes ? std::move(classes->rows) : OutputRows::of(std::vector<int32_t>(header.words), 1);
    weights = reader.matrix("word_weights", description.output_precision, header.words, header.dimension, header.stride,
                            rows.words);
    bias = permuted(reader.values<float>("word_bias", header.words), rows.words);
    if (reader.has("direct_contexts"))
      direct.emplace(direct_table(reader, description, header, rows), header.words, header.classes,
                     description.direct_bits, header);
  }
  void add_to(ContainerWriter& writer) const {
    if (classes) classes->add_to(writer);
    writer.add("class_begin", rows.class_begin);
    writer.add("row_of_word", rows.row_of_word);
    writer.add("class_of_word", rows.class_of_word);
    weights.add_to(writer, "word_weights");
    writer.add("word_bias", bias);
    if (direct) direct->add_to(writer);
  }
};

Header header_of(const ModelDescription& description) {
  Header header{};
  header.version = format_version;
  header.output = description.output;
  header.normalisation = description.normalisation;
  header.order = description.order;
  header.dimension = description.dimension;
  header.stride = stride_of(description.dimension);
  header.input_precision = description.input_precision;
  header.output_precision = description.output_precision;
  return header;
}

}  // namespace

void write_model(const ModelDescription& description, const Tensors& tensors, const std::string& path) {
  check(description);
  TensorReader reader(tensors);
  ContainerWriter writer(file_kind);
  Header header = header_of(description);

  const InputLayer input(reader, "", description.words, header.order - 1, description);
  header.words = input.words.size();
  header.full_context = input.full;
  input.add_to(writer);
  std::vector<float> hidden_bias(header.stride);
  if (reader.has("hidden_bias"))
    std::ranges::copy(reader.values<float>("hidden_bias", header.dimension), hidden_bias.begin());
  writer.add("hidden_bias", hidden_bias);

  std::optional<InputLayer> source;
  if (description.reads_source) {
    header.source_window = description.source_window;
    source.emplace(reader, "source_", description.source_words, 2 * header.source_window + 1, description);
    header.source_words = source->words.size();
    header.full_source_context = source->full;
    source->add_to(writer);
  }

  std::optional<TreeOutput> tree;
  std::optional<WordOutput> output;
  if (description.output == Output::tree)
    tree.emplace(reader, description, header).add_to(writer);
  else
    output.emplace(reader, description, header).add_to(writer);
  reader.all_used();
  writer.add("info", std::as_bytes(std::span(description.info)));
  writer.add_record("header", header);
  writer.write(path);
}

}  // namespace dragoman::nlm
