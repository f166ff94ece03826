#include "nlm/neural_model.h"

#include <algorithm>
#include <vector>

namespace dragoman::nlm {
namespace {

// Nodes above a word, far more than trees of words have: scoring it goes through all of them.
constexpr uint32_t most_depth = 4096;

}  // namespace

NeuralModel NeuralModel::open(const std::string& path, Trust trust) {
  return parse(Container::open(path, file_kind, trust));
}

NeuralModel NeuralModel::parse(const Container& container) {
  NeuralModel model;
  model.file_ = std::make_shared<const Container>(container);
  const Container& file = *model.file_;
  model.header_ = file.record<Header>("header");
  const Header& header = model.header_;
  if (header.version != format_version)
    file.fail("header", "is of a version this program does not know; update Dragoman or train the model again");
  if (header.output > Output::flat || header.normalisation > Normalisation::none ||
      header.input_precision > Precision::int4 || header.output_precision > Precision::int8 ||
      header.full_context > 1 || header.full_source_context > 1)
    file.fail("header", "names a kind of model this program does not know");
  if (header.order < 2 || header.order > max_order || header.dimension < 1 || header.dimension > max_dimension ||
      header.stride != stride_of(header.dimension) || header.source_window > max_source_window)
    file.fail("header", "names an impossible size");
  model.words_ = Vocabulary::open(file, "words");
  if (model.words_.size() != header.words || header.words < first_real_word)
    file.fail("header", "disagrees with the words about their number");

  const uint32_t stride = header.stride;
  model.input_ = MatrixView::open(file, "input", header.input_precision, header.words, stride);
  auto context_floats = [&](uint32_t count, bool full) {
    return uint64_t{count} * (full ? header.dimension : 1) * stride;
  };
  model.context_ = file.array<float>("context", context_floats(header.order - 1, header.full_context)).data();
  model.hidden_bias_ = file.array<float>("hidden_bias", stride).data();
  if (header.source_words > 0) {
    model.source_words_ = Vocabulary::open(file, "source_words");
    if (model.source_words_.size() != header.source_words || header.source_words < first_real_word)
      file.fail("header", "disagrees with the source words about their number");
    model.source_input_ = MatrixView::open(file, "source_input", header.input_precision, header.source_words, stride);
    const uint32_t window = 2 * header.source_window + 1;
    model.source_context_ =
        file.array<float>("source_context", context_floats(window, header.full_source_context)).data();
  }
  if (header.output == Output::tree)
    model.open_tree();
  else
    model.open_output();
  return model;
}

void NeuralModel::open_output() {
  const Container& file = *file_;
  const uint32_t stride = header_.stride;
  if (header_.classes < 1 || header_.classes > header_.words ||
      (header_.output == Output::flat && header_.classes != 1))
    file.fail("header", "names an impossible number of classes");
  const auto begin = file.array<uint32_t>("class_begin", uint64_t{header_.classes} + 1);
  if (begin[0] != 0) file.fail("class_begin", "does not begin with the first row");
  for (uint32_t of = 0; of < header_.classes; ++of) {
    if (begin[of] >= begin[of + 1]) file.fail("class_begin", "has a class without words");
    largest_class_ = std::max(largest_class_, begin[of + 1] - begin[of]);
  }
  const uint32_t rows = begin[header_.classes];
  if (rows != header_.words - 2) file.fail("class_begin", "does not end with the last row");
  const auto row = file.array<uint32_t>("row_of_word", header_.words);
  const auto of_word = file.array<uint32_t>("class_of_word", header_.words);
  for (WordId word = 0; word < header_.words; ++word)
    if (is_predicted(word) &&
        (of_word[word] >= header_.classes || row[word] < begin[of_word[word]] || row[word] >= begin[of_word[word] + 1]))
      file.fail("row_of_word", "puts a word outside its class");
  class_begin_ = begin.data();
  row_of_word_ = row.data();
  class_of_word_ = of_word.data();
  word_weights_ = MatrixView::open(file, "word_weights", header_.output_precision, rows, stride);
  word_bias_ = file.array<float>("word_bias", rows).data();
  if (header_.output == Output::classes) {
    class_weights_ = MatrixView::open(file, "class_weights", header_.output_precision, header_.classes, stride);
    class_bias_ = file.array<float>("class_bias", header_.classes).data();
    if (header_.output_precision == Precision::int8)
      interleaved_classes_ = std::make_shared<InterleavedRows>(InterleavedRows::of(class_weights_, class_bias_));
  }
  direct_ = DirectNgrams(file, header_);
}

void NeuralModel::open_tree() {
  const Container& file = *file_;
  if (header_.direct_contexts != 0) file.fail("header", "has direct n-grams, which a tree cannot use");
  if (header_.normalisation != Normalisation::exact) file.fail("header", "has a tree that is not normalised");
  const uint32_t nodes = header_.words - 3;
  node_weights_ = MatrixView::open(file, "node_weights", header_.output_precision, nodes, header_.stride);
  node_bias_ = file.array<float>("node_bias", nodes).data();
  const auto above = file.array<uint32_t>("node_parent", nodes);
  const auto above_word = file.array<uint32_t>("word_parent", header_.words);
  // Every place below a node is taken once, and parents come before children: so it is a tree.
  std::vector<bool> taken(size_t{nodes} * 2);
  auto take = [&](uint32_t link, uint32_t limit) {
    if (link / 2 >= limit || taken[link]) file.fail("node_parent", "is no tree");
    taken[link] = true;
  };
  std::vector<uint32_t> depth(nodes);
  for (uint32_t node = 0; node < nodes; ++node)
    if (node > 0) {
      take(above[node], node);
      depth[node] = depth[above[node] / 2] + 1;
      if (depth[node] > most_depth) file.fail("node_parent", "is a tree without end");
    } else if (above[node] != no_row) {
      file.fail("node_parent", "has no root");
    }
  for (WordId word = 0; word < header_.words; ++word)
    if (is_predicted(word)) take(above_word[word], nodes);
  node_parent_ = above.data();
  word_parent_ = above_word.data();
}

std::string_view NeuralModel::info() const {
  const auto bytes = file_->bytes("info");
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

WordId NeuralModel::find(const Vocabulary& words, std::string_view word) {
  const WordId id = words.find(word);
  return id == sentence_begin || id == sentence_end ? unknown_word : id;
}

NeuralModel NeuralModel::with_kernels(KernelLevel level) const {
  NeuralModel other = *this;
  other.kernels_ = &nlm_kernels(level);
  return other;
}

NeuralModel NeuralModel::with_normalisation(Normalisation normalisation) const {
  NeuralModel other = *this;
  if (other.header_.output != Output::tree) other.header_.normalisation = normalisation;
  return other;
}

}  // namespace dragoman::nlm
