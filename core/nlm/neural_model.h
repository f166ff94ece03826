// A neural language model, mapped from nlm.bin: immutable, shared by threads without locks. It holds views of the
// file; a Session (session.h) scores with it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/container.h"
#include "nlm/direct_ngrams.h"
#include "nlm/format.h"
#include "nlm/kernels.h"
#include "nlm/matrix.h"

namespace dragoman::nlm {

class NeuralModel {
 public:
  // Throws FormatError unless the file is a whole model of this format.
  static NeuralModel open(const std::string& path, Trust trust = Trust::verify_hashes);
  static NeuralModel parse(const Container& file);
  // The same model computed with another instruction set, or used with another normalisation.
  NeuralModel with_kernels(KernelLevel level) const;
  NeuralModel with_normalisation(Normalisation normalisation) const;

  const Header& header() const { return header_; }
  uint32_t order() const { return header_.order; }
  bool reads_source() const { return header_.source_words > 0; }
  const Container& file() const { return *file_; }
  std::string_view info() const;

  const Vocabulary& words() const { return words_; }
  const Vocabulary& source_words() const { return source_words_; }
  // The id of a word of a text: unknown_word for one that is not known, and for sentence marks, which are no words.
  WordId find(std::string_view word) const { return find(words_, word); }
  WordId find_source(std::string_view word) const { return find(source_words_, word); }

  const MatrixView& input() const { return input_; }
  const MatrixView& source_input() const { return source_input_; }
  const MatrixView& class_weights() const { return class_weights_; }
  // The class weights once more, if they are int8.
  const InterleavedRows& interleaved_classes() const { return *interleaved_classes_; }
  const MatrixView& word_weights() const { return word_weights_; }
  const MatrixView& node_weights() const { return node_weights_; }
  // Diagonals or matrices, `stride` floats a row.
  const float* context() const { return context_; }
  const float* source_context() const { return source_context_; }
  const float* hidden_bias() const { return hidden_bias_; }
  const float* class_bias() const { return class_bias_; }
  const float* word_bias() const { return word_bias_; }
  const float* node_bias() const { return node_bias_; }
  const DirectNgrams& direct() const { return direct_; }

  // Whether a word can be predicted at all; every id may be asked about.
  bool is_predicted(WordId word) const { return word < header_.words && word != no_word && word != sentence_begin; }
  uint32_t class_of(WordId word) const { return class_of_word_[word]; }
  uint32_t row_of(WordId word) const { return row_of_word_[word]; }
  uint32_t class_begin(uint32_t of) const { return class_begin_[of]; }
  uint32_t class_size(uint32_t of) const { return class_begin_[of + 1] - class_begin_[of]; }
  uint32_t largest_class() const { return largest_class_; }
  // Twice the node above, plus 1 below its second child; no_row above the root.
  uint32_t parent_of_word(WordId word) const { return word_parent_[word]; }
  uint32_t parent_of_node(uint32_t node) const { return node_parent_[node]; }

  const NlmKernels& kernels() const { return *kernels_; }

 private:
  NeuralModel() = default;
  static WordId find(const Vocabulary& words, std::string_view word);
  void open_output();
  void open_tree();

  std::shared_ptr<const Container> file_;
  Header header_{};
  Vocabulary words_ = Vocabulary::from_words({});
  Vocabulary source_words_ = Vocabulary::from_words({});
  MatrixView input_, source_input_, class_weights_, word_weights_, node_weights_;
  std::shared_ptr<const InterleavedRows> interleaved_classes_;
  const float* context_ = nullptr;
  const float* source_context_ = nullptr;
  const float* hidden_bias_ = nullptr;
  const float* class_bias_ = nullptr;
  const float* word_bias_ = nullptr;
  const float* node_bias_ = nullptr;
  const uint32_t* class_of_word_ = nullptr;
  const uint32_t* row_of_word_ = nullptr;
  const uint32_t* class_begin_ = nullptr;
  const uint32_t* node_parent_ = nullptr;
  const uint32_t* word_parent_ = nullptr;
  uint32_t largest_class_ = 0;
  DirectNgrams direct_;
  const NlmKernels* kernels_ = &nlm_kernels();
};

}  // namespace dragoman::nlm
