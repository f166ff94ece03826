// Which direct n-gram features a network in training has (thesis 4.8): of each context that some frequent n-gram has, a
// feature for each class its words are in, and of each of those one for each such word of the class. A class of one
// word needs no feature for it. Found by hashes of contexts, as in direct_ngrams.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "nlm/network.h"
#include "nlm/tensor_reader.h"
#include "nlm/training_text.h"

namespace dragoman::nlm {

// An n-gram of a text: what a position predicts, and so many words before it.
struct TextNgram {
  uint64_t position;
  uint32_t length;
};

// The `most` most frequent n-grams of two to `order` words that occur at least twice, the shorter ones of equals first,
// each where it occurs first. Counted in several passes over the text, so that memory is bounded.
std::vector<TextNgram> frequent_ngrams(const IdStream& text, uint32_t order, size_t most);

class DirectFeatures {
 public:
  DirectFeatures(const IdStream& text, uint32_t order, std::span<const TextNgram> ngrams, const ClassedWords& words);

  uint32_t contexts() const { return static_cast<uint32_t>(class_begin.size() - 2); }
  // Of the contexts of 1, 2, ... words their numbers, contexts() for those that have no features; the nearest word is
  // first.
  void find(std::span<const WordId> context, uint32_t* numbers) const;
  // The class feature of a context, or their number.
  uint32_t class_feature(uint32_t context, uint32_t number) const;

  // Stretches as direct_layer.h has them: features of contexts for classes, and of those for words of the class.
  std::vector<uint32_t> class_begin, classes, word_begin, words;
  std::vector<int32_t> context_words;  // row after row, the nearest first, -1 beyond the length

 private:
  FlatMap numbers_;
};

// The same as tensors of nlm.bin (model_writer.h), less the weights.
struct DirectTensors {
  std::vector<int32_t> contexts, classes, words;
  std::vector<int64_t> class_begin, word_begin;

  DirectTensors(const DirectFeatures& features, const ClassedWords& classed);
  // As views, good as long as this.
  void add_to(Tensors& tensors) const;
};

}  // namespace dragoman::nlm
