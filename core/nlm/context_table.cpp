#include "nlm/context_table.h"

#include <algorithm>

namespace dragoman::nlm {
namespace {

size_t layer_bytes(const Header& header) {
  return header.output_precision == Precision::int8 ? header.stride : size_t{header.stride} * sizeof(float);
}

}  // namespace

ContextTable::ContextTable(const NeuralModel& model, size_t most_bytes, uint32_t least)
    : model_(model),
      header_(model.header()),
      lists_(model.direct().empty() ? 0 : model.order() - 1),
      codes_(header_.output_precision == Precision::int8),
      projection_(model),
      layers_(layer_bytes(header_), std::max(most_bytes, least * layer_bytes(header_))),
      hidden_(header_.stride),
      class_logits_(header_.output == Output::classes ? size_t{block} * padded(header_.classes) : 0) {}

void ContextTable::begin(std::span<const WordId> source) {
  projection_.set_source(source);
  layers_.forget();
}

bool ContextTable::make_room(uint32_t more) {
  if (layers_.has_room(more)) return true;
  layers_.forget();
  return false;
}

uint32_t ContextTable::find_or_add(uint64_t key, const WordId* words, uint32_t source) {
  const uint32_t known = layers_.find(key);
  if (known != VectorTable::absent) return known;
  projection_.prefetch(words);
  new_.push_back({words, source});
  return layers_.add(key);
}

Activation ContextTable::activation(uint32_t context) const {
  const std::byte* layer = layers_.at(context);
  return {reinterpret_cast<const float*>(layer), reinterpret_cast<const uint8_t*>(layer),
          factors_[context].activation_scale};
}

void ContextTable::compute_layer(uint32_t context, const New& of) {
  // Words that the model does not have would be read outside its tables.
  WordId words[max_order];
  const uint32_t count = model_.order() - 1;
  for (uint32_t place = 0; place < count; ++place)
    words[place] = of.words[place] < header_.words ? of.words[place] : unknown_word;
  float* values = codes_ ? hidden_.data() : reinterpret_cast<float*>(layers_.at(context));
  uint8_t* codes = codes_ ? reinterpret_cast<uint8_t*>(layers_.at(context)) : nullptr;
  projection_.project(words, of.source, values);
  factors_[context] = {model_.kernels().rectify(values, header_.stride, codes), 0};
  if (lists_) model_.direct().find(words, count, direct_.data() + size_t{context} * lists_);
}

void ContextTable::compute_layers() {
  const uint32_t first = first_new(), end = layers_.size();
  if (factors_.size() < end) {
    factors_.resize(end);
    direct_.resize(size_t{end} * lists_);
  }
  for (uint32_t context = first; context < end; ++context) compute_layer(context, new_[context - first]);
  new_.clear();
}

void ContextTable::normalise_classes(uint32_t first, uint32_t count, ReadAhead& ahead,
                                     const std::function<void(uint32_t, const float*)>& look) {
  const size_t stride = padded(header_.classes);
  Activation layers[block];
  for (uint32_t c = 0; c < count; ++c) layers[c] = activation(first + c);
  if (codes_)
    model_.kernels().interleaved_logits(model_.interleaved_classes(), layers, count, class_logits_.data(), stride,
                                        ahead);
  else
    model_.kernels().logits(model_.class_weights(), 0, header_.classes, model_.class_bias(), layers, count,
                            class_logits_.data(), stride, ahead);
  for (uint32_t c = 0; c < count; ++c) {
    float* logits = class_logits_.data() + c * stride;
    add_direct_classes(first + c, logits);
    factors_[first + c].class_normaliser = model_.kernels().log_sum_exp(logits, header_.classes);
    look(first + c, logits);
  }
}

void ContextTable::add_direct_classes(uint32_t context, float* logits) const {
  for (const DirectLists& list : lists(context))
    for (uint32_t i = list.classes.begin; i < list.classes.end; ++i) {
      const DirectRecord record = model_.direct().class_(i);
      if (record.id < header_.classes) logits[record.id] += record.weight;
    }
}

float ContextTable::row_logit(const MatrixView& weights, uint32_t row, const float* bias, uint32_t context) const {
  const Activation layer = activation(context);
  ReadAhead nothing;
  float logit;
  model_.kernels().logits(weights, row, 1, bias + row, &layer, 1, &logit, 1, nothing);
  return logit;
}

float ContextTable::class_logit(uint32_t context, uint32_t of) const {
  float logit = row_logit(model_.class_weights(), of, model_.class_bias(), context);
  for (const DirectLists& list : lists(context)) logit += model_.direct().class_weight(list.classes, of);
  return logit;
}

float ContextTable::word_logit(uint32_t context, uint32_t row) const {
  float logit = row_logit(model_.word_weights(), row, model_.word_bias(), context);
  for (const DirectLists& list : lists(context)) logit += model_.direct().word_weight(list.words, row);
  return logit;
}

void ContextTable::add_direct_words(uint32_t context, uint32_t first_row, uint32_t rows, float* logits) const {
  for (const DirectLists& list : lists(context)) {
    const DirectList words = list.words;
    if (words.begin == words.end) continue;
    // Rows in a list rise and differ.
    const uint32_t first = model_.direct().first_word_from(words, first_row);
    const uint32_t end = first + std::min(words.end - first, rows);
    for (uint32_t i = first; i < end; ++i) {
      const DirectRecord record = model_.direct().word(i);
      if (record.id - first_row >= rows) break;
      logits[record.id - first_row] += record.weight;
    }
  }
}

}  // namespace dragoman::nlm
