// The contexts of a sentence: what a model makes of the words before a word, whatever that word is. Hidden layers, the
// normalisers of classes and the lists of direct n-grams are computed once for each context and kept as long as there
// is room. Contexts that are new are collected, so that several share a pass over the class weights.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "nlm/neural_model.h"
#include "nlm/projection.h"
#include "nlm/query_cache.h"

namespace dragoman::nlm {

class ContextTable {
 public:
  // Remembers as many as fit into these bytes, and at least so many.
  ContextTable(const NeuralModel& model, size_t most_bytes, uint32_t least);

  // A new sentence: nothing is remembered.
  void begin(std::span<const WordId> source);
  // Before so many new ones are added. False if all had to be forgotten for it.
  bool make_room(uint32_t more);
  void prefetch(uint64_t key) const { layers_.prefetch(key); }
  // The number of a context; a new one's words must stay where they are until compute_layers().
  uint32_t find_or_add(uint64_t key, const WordId* words, uint32_t source);
  uint32_t size() const { return layers_.size(); }
  // Those added since the last compute_layers() are the last ones.
  uint32_t first_new() const { return layers_.size() - static_cast<uint32_t>(new_.size()); }
  // Hidden layers of the new ones.
  void compute_layers();
  // The normalisers of the classes for `block` contexts at most, from this one on, whose layers have been computed.
  // `look` sees the logits of all classes, once for each context.
  static constexpr uint32_t block = 8;  // contexts that share a pass over the class weights
  void normalise_classes(uint32_t first, uint32_t count, ReadAhead& ahead,
                         const std::function<void(uint32_t context, const float* class_logits)>& look);

  // All below are for contexts that have been computed.
  Activation activation(uint32_t context) const;
  float class_normaliser(uint32_t context) const { return factors_[context].class_normaliser; }
  // A row's product with a context's layer, and its bias.
  float row_logit(const MatrixView& weights, uint32_t row, const float* bias, uint32_t context) const;
  // The same with direct n-grams.
  float class_logit(uint32_t context, uint32_t of) const;
  float word_logit(uint32_t context, uint32_t row) const;
  // Adds the weights of direct n-grams to the logits of a stretch of rows.
  void add_direct_words(uint32_t context, uint32_t first_row, uint32_t rows, float* logits) const;

 private:
  struct Factors {
    float activation_scale, class_normaliser;
  };
  struct New {
    const WordId* words;
    uint32_t source;
  };
  void compute_layer(uint32_t context, const New& of);
  void add_direct_classes(uint32_t context, float* logits) const;
  std::span<const DirectLists> lists(uint32_t context) const {
    return std::span(direct_).subspan(size_t{context} * lists_, lists_);
  }

  const NeuralModel& model_;
  const Header& header_;
  uint32_t lists_;  // of direct n-grams of a context: one for each length, or none
  bool codes_;      // layers are bytes
  Projection projection_;
  VectorTable layers_;
  std::vector<Factors> factors_;
  std::vector<DirectLists> direct_;
  std::vector<New> new_;
  std::vector<float> hidden_, class_logits_;
};

}  // namespace dragoman::nlm
