#include "nlm/model_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "nlm/direct_ngrams.h"
#include "nlm/matrix.h"
#include "nlm/neural_model.h"

namespace dragoman::nlm {
namespace {

// Looks up tensors and checks their sizes; the views are as aligned as the caller's buffers, so values are copied out.
class Reader {
 public:
  explicit Reader(const Tensors& tensors) : tensors_(tensors) {}

  bool has(std::string_view name) const { return tensors_.contains(name); }
  uint64_t bytes(std::string_view name) const { return find(name).size(); }

  template <class T>
  std::vector<T> values(const std::string& name, uint64_t count) {
    const auto bytes = sized(name, count * sizeof(T));
    std::vector<T> made(count);
    if (count) std::memcpy(made.data(), bytes.data(), bytes.size());
    if constexpr (std::is_same_v<T, float>) require_finite(name, made);
    return made;
  }
  template <class T>
  std::vector<T> all(const std::string& name) {
    const uint64_t size = find(name).size();
    if (size % sizeof(T)) throw ConfigError(name, "has a size that is no multiple of its element's");
    return values<T>(name, size / sizeof(T));
  }
  // Rows of a matrix, by a permutation if one is given.
  EncodedMatrix matrix(const std::string& name, Precision precision, uint32_t rows, uint32_t dimension, uint32_t stride,
                       std::span<const uint32_t> order = {}) {
    const auto bytes = sized(name, uint64_t{rows} * dimension * sizeof(float));
    const auto count = order.empty() ? rows : static_cast<uint32_t>(order.size());
    return encode_matrix(precision, count, stride, [&](uint32_t row, float* to) {
      const uint32_t from = order.empty() ? row : order[row];
      std::memcpy(to, bytes.data() + uint64_t{from} * dimension * sizeof(float), dimension * sizeof(float));
      require_finite(name, {to, dimension});
    });
  }
  void all_used() const {
    for (const auto& [name, bytes] : tensors_)
      if (std::ranges::find(used_, name) == used_.end())
        throw ConfigError(name, "is not a tensor of this kind of model");
  }

 private:
  std::span<const std::byte> find(std::string_view name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) throw ConfigError(std::string(name), "is missing among the tensors");
    return found->second;
  }
  std::span<const std::byte> sized(const std::string& name, uint64_t bytes) {
    const auto found = find(name);
    used_.push_back(name);
    if (found.size() != bytes)
      throw ConfigError(name, "has " + std::to_string(found.size()) + " bytes where the model's size asks for " +
                                  std::to_string(bytes));
    return found;
  }
  static void require_finite(const std::string& name, std::span<const float> values) {
    for (float value : values)
      if (!std::isfinite(value))
        throw ConfigError(name, "holds values that are no finite numbers; train again with a lower learning rate");
  }

  const Tensors& tensors_;
  std::vector<std::string> used_;
};

Vocabulary vocabulary_of(std::string_view option, const std::vector<std::string>& words) {
  std::vector<std::string_view> all{"<s>", "</s>"};
  for (const std::string& word : words) {
    if (word.empty() || word == "<s>" || word == "</s>" || word == "<unk>" ||
        word.find_first_of(" \t\r\n") != word.npos)
      throw ConfigError(std::string(option), "'" + word + "' is no word");
    all.push_back(word);
  }
  std::vector<std::string_view> sorted = all;
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) throw ConfigError(std::string(option), "'" + std::string(*twice) + "' is there twice");
  return Vocabulary::from_words(all);
}

bool is_predicted(WordId word) { return word != no_word && word != sentence_begin; }

// Rows of contexts as the file has them: diagonals and matrices padded to the stride.
std::vector<float> context_of(Reader& reader, const std::string& name, uint32_t count, uint32_t dimension,
                              uint32_t stride, uint32_t& full) {
  full = reader.bytes(name) == uint64_t{count} * dimension * dimension * sizeof(float) && dimension > 1;
  const uint32_t rows = count * (full ? dimension : 1);
  const auto values = reader.values<float>(name, uint64_t{rows} * dimension);
  std::vector<float> padded(uint64_t{rows} * stride);
  for (uint32_t row = 0; row < rows; ++row)
    std::copy_n(values.begin() + uint64_t{row} * dimension, dimension, padded.begin() + uint64_t{row} * stride);
  return padded;
}

// The order of output rows: by class, by id within.
struct Rows {
  std::vector<uint32_t> words;  // by row
  std::vector<uint32_t> row_of_word, class_of_word, class_begin;
};

Rows rows_of(std::span<const int32_t> class_of_word, uint32_t classes) {
  Rows made;
  made.class_begin.assign(classes + 1, 0);
  made.row_of_word.assign(class_of_word.size(), no_row);
  made.class_of_word.assign(class_of_word.size(), no_row);
  for (WordId word = 0; word < class_of_word.size(); ++word) {
    if (!is_predicted(word)) continue;
    const int32_t of = class_of_word[word];
    if (of < 0 || static_cast<uint32_t>(of) >= classes)
      throw ConfigError("class_of_word", "word " + std::to_string(word) + " has class " + std::to_string(of) + " of " +
                                             std::to_string(classes));
    made.class_of_word[word] = static_cast<uint32_t>(of);
    ++made.class_begin[of + 1];
  }
  for (uint32_t each = 0; each < classes; ++each) {
    if (made.class_begin[each + 1] == 0)
      throw ConfigError("class_of_word",
                        "class " + std::to_string(each) + " has no words; number classes without gaps");
    made.class_begin[each + 1] += made.class_begin[each];
  }
  made.words.resize(made.class_begin[classes]);
  std::vector<uint32_t> next(made.class_begin.begin(), made.class_begin.end() - 1);
  for (WordId word = 0; word < class_of_word.size(); ++word)
    if (made.class_of_word[word] != no_row) {
      made.row_of_word[word] = next[made.class_of_word[word]]++;
      made.words[made.row_of_word[word]] = word;
    }
  return made;
}

// Numbers nodes so that parents come first, and turns the tree round: who is above whom.
struct Tree {
  std::vector<uint32_t> nodes;  // by new number
  std::vector<uint32_t> node_parent, word_parent;
};

Tree tree_of(std::span<const int32_t> children, uint32_t words) {
  const auto count = static_cast<uint32_t>(children.size() / 2);
  auto bad = [](const std::string& what) { return ConfigError("node_children", what); };
  Tree made;
  made.word_parent.assign(words, no_row);
  made.node_parent.assign(count, no_row);
  std::vector<uint32_t> number(count, no_row);
  if (count) {
    made.nodes.push_back(0);
    number[0] = 0;
  }
  for (uint32_t at = 0; at < made.nodes.size(); ++at)
    for (uint32_t side = 0; side < 2; ++side) {
      const int64_t child = children[size_t{made.nodes[at]} * 2 + side];
      const uint32_t link = at * 2 + side;
      if (child >= 0) {
        if (child >= count || number[child] != no_row)
          throw bad("node " + std::to_string(child) + " does not exist or has two parents");
        number[child] = static_cast<uint32_t>(made.nodes.size());
        made.node_parent[number[child]] = link;
        made.nodes.push_back(static_cast<uint32_t>(child));
      } else {
        const int64_t word = -1 - child;
        if (word >= words || !is_predicted(static_cast<WordId>(word)) || made.word_parent[word] != no_row)
          throw bad("word " + std::to_string(word) + " is not to be predicted or has two parents");
        made.word_parent[word] = link;
      }
    }
  if (made.nodes.size() != count) throw bad("not every node is below the root");
  for (WordId word = 0; word < words; ++word)
    if (is_predicted(word) && made.word_parent[word] == no_row)
      throw bad("word " + std::to_string(word) + " is not in the tree");
  return made;
}

std::vector<DirectRecord> sorted_list(std::span<const int32_t> ids, std::span<const float> weights, uint64_t begin,
                                      uint64_t end, const std::string& name, auto&& number_of) {
  std::vector<DirectRecord> list;
  for (uint64_t i = begin; i < end; ++i) {
    const uint32_t id = number_of(ids[i]);
    if (id == no_row) throw ConfigError(name, std::to_string(ids[i]) + " cannot follow a context");
    list.push_back({id, weights[i]});
  }
  std::ranges::stable_sort(list, {}, &DirectRecord::id);
  // The same n-gram twice: both weights count.
  size_t kept = 0;
  for (size_t i = 0; i < list.size(); ++i)
    if (kept > 0 && list[kept - 1].id == list[i].id)
      list[kept - 1].weight += list[i].weight;
    else
      list[kept++] = list[i];
  list.resize(kept);
  return list;
}

DirectTable direct_table(Reader& reader, const ModelDescription& description, const Header& header, const Rows& rows) {
  const uint32_t width = description.order - 1;
  const auto contexts = reader.all<int32_t>("direct_contexts");
  if (contexts.size() % width) throw ConfigError("direct_contexts", "does not have order - 1 columns");
  const uint64_t count = contexts.size() / width;
  auto lists = [&](const std::string& kind, std::vector<int64_t>& begin, std::vector<int32_t>& ids,
                   std::vector<float>& weights) {
    const std::string plural = kind == "class" ? "direct_classes" : "direct_words";
    begin = reader.values<int64_t>("direct_" + kind + "_begin", count + 1);
    ids = reader.all<int32_t>(plural);
    weights = reader.values<float>("direct_" + kind + "_weights", ids.size());
    bool fits = begin[0] == 0 && static_cast<uint64_t>(begin[count]) == ids.size() && ids.size() < UINT32_MAX;
    for (uint64_t i = 0; i < count; ++i) fits = fits && begin[i] <= begin[i + 1];
    if (!fits) throw ConfigError("direct_" + kind + "_begin", "does not divide its list");
  };
  std::vector<int64_t> word_begin, class_begin;
  std::vector<int32_t> words, classes;
  std::vector<float> word_weights, class_weights;
  lists("word", word_begin, words, word_weights);
  if (description.output == Output::classes)
    lists("class", class_begin, classes, class_weights);
  else
    class_begin.assign(count + 1, 0);

  DirectTable table;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t hash = direct_seed;
    uint32_t length = 0;
    for (; length < width && contexts[i * width + length] >= 0; ++length) {
      const int32_t word = contexts[i * width + length];
      if (static_cast<uint32_t>(word) >= header.words) throw ConfigError("direct_contexts", "names words that are not");
      hash = direct_hash(hash, static_cast<WordId>(word));
    }
    if (length == 0) throw ConfigError("direct_contexts", "has a context without words");
    table.hashes.push_back(hash);
    const auto word_list =
        sorted_list(words, word_weights, word_begin[i], word_begin[i + 1], "direct_words", [&](int32_t id) {
          return id < 0 || static_cast<uint32_t>(id) >= header.words ? no_row : rows.row_of_word[id];
        });
    const auto class_list =
        sorted_list(classes, class_weights, class_begin[i], class_begin[i + 1], "direct_classes", [&](int32_t id) {
          return id < 0 || static_cast<uint32_t>(id) >= header.classes ? no_row : static_cast<uint32_t>(id);
        });
    table.words.insert(table.words.end(), word_list.begin(), word_list.end());
    table.classes.insert(table.classes.end(), class_list.begin(), class_list.end());
    table.word_begin.push_back(table.words.size());
    table.class_begin.push_back(table.classes.size());
  }
  return table;
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
  Reader reader(tensors);
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

  Rows rows;
  Tree tree;
  EncodedMatrix class_weights, word_weights, node_weights;
  std::vector<float> class_bias, word_bias, node_bias;
  std::optional<DirectSections> direct;
  if (description.output == Output::tree) {
    const uint32_t nodes = header.words - 3;
    tree = tree_of(reader.values<int32_t>("node_children", uint64_t{nodes} * 2), header.words);
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
      rows = rows_of(reader.values<int32_t>("class_of_word", header.words), header.classes);
      class_weights = reader.matrix("class_weights", description.output_precision, header.classes, dimension, stride);
      class_weights.add_to(writer, "class_weights");
      writer.add("class_bias", class_bias);
    } else {
      header.classes = 1;
      rows = rows_of(std::vector<int32_t>(header.words), 1);
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

void write_requantised(const NeuralModel& model, const Requantisation& wanted, const std::string& path) {
  Header header = model.header();
  if (header.output == Output::tree && wanted.normalisation != Normalisation::exact)
    throw ConfigError("normalisation", "a tree is normalised by itself");
  if (wanted.output_precision == Precision::int4) throw ConfigError("output_precision", "int4 is for input words only");
  if (wanted.direct_bits != 32 && (wanted.direct_bits < 2 || wanted.direct_bits > 8))
    throw ConfigError("direct_bits", "must be 2 to 8, or 32 for floats");
  header.input_precision = wanted.input_precision;
  header.output_precision = wanted.output_precision;
  header.normalisation = wanted.normalisation;
  ContainerWriter writer(file_kind);
  std::map<std::string, EncodedMatrix> matrices;
  auto encode = [&](const std::string& name, const MatrixView& view, Precision precision) {
    if (!view.data) return;
    matrices[name] = encode_matrix(precision, view.rows, view.stride,
                                   [&](uint32_t row, float* values) { view.decode(row, values); });
  };
  encode("input", model.input(), wanted.input_precision);
  encode("source_input", model.source_input(), wanted.input_precision);
  encode("class_weights", model.class_weights(), wanted.output_precision);
  encode("word_weights", model.word_weights(), wanted.output_precision);
  encode("node_weights", model.node_weights(), wanted.output_precision);
  std::optional<DirectSections> direct;
  if (!model.direct().empty()) direct.emplace(model.direct(), header.words, header.classes, wanted.direct_bits, header);
  for (const Section& section : model.file().sections()) {
    const std::string base = section.name.substr(0, section.name.find(".scales"));
    if (section.name == "header" || section.name.starts_with("direct.") || matrices.contains(base)) continue;
    writer.add(section.name, section.bytes);
  }
  for (const auto& [name, matrix] : matrices) matrix.add_to(writer, name);
  if (direct) direct->add_to(writer);
  writer.add_record("header", header);
  writer.write(path);
}

}  // namespace dragoman::nlm
