#include "nlm/projection.h"

#include <algorithm>

#include "base/hash.h"

namespace dragoman::nlm {
namespace {

constexpr size_t product_bytes = size_t{8} << 20;

}  // namespace

Projection::Projection(const NeuralModel& model)
    : model_(model),
      stride_(model.header().stride),
      product_keys_(model.header().full_context ? product_bytes / (size_t{stride_} * sizeof(float)) : 0),
      products_(model.header().full_context ? product_keys_.slots() * stride_ : 0),
      row_(stride_),
      ones_(stride_, 1.0f) {
  set_source({});
}

void Projection::set_source(std::span<const WordId> source) {
  if (!model_.reads_source()) return;
  source_.assign(source.begin(), source.end());
  // An empty sentence has one position too, between its marks.
  const size_t positions = std::max<size_t>(source.size(), 1);
  source_known_.assign(positions, false);
  source_parts_.resize(positions * stride_);
}

// sum += matrix of this place times the word's embedding.
void Projection::add_word(const MatrixView& input, WordId word, const float* matrices, bool full, uint32_t place,
                          float* sum) {
  const NlmKernels& kernels = model_.kernels();
  if (!full) return kernels.add_row(input, word, matrices + size_t{place} * stride_, sum);
  const uint32_t dimension = model_.header().dimension;
  std::ranges::fill(row_, 0.0f);
  kernels.add_row(input, word, ones_.data(), row_.data());
  kernels.add_product(matrices + size_t{place} * dimension * stride_, dimension, stride_, row_.data(), sum);
}

const float* Projection::source_part(uint32_t position) {
  float* part = source_parts_.data() + size_t{position} * stride_;
  if (source_known_[position]) return part;
  std::fill_n(part, stride_, 0.0f);
  const int64_t window = model_.header().source_window;
  for (int64_t k = -window; k <= window; ++k) {
    const int64_t at = int64_t{position} + k;
    const WordId word = at < 0                                       ? sentence_begin
                        : at >= static_cast<int64_t>(source_.size()) ? sentence_end
                                                                     : source_[static_cast<size_t>(at)];
    add_word(model_.source_input(), word, model_.source_context(), model_.header().full_source_context,
             static_cast<uint32_t>(k + window), part);
  }
  source_known_[position] = true;
  return part;
}

void Projection::prefetch(const WordId* context) const {
  for (uint32_t place = 0; place + 1 < model_.order(); ++place)
    if (context[place] < model_.header().words) model_.input().prefetch(context[place]);
}

void Projection::project(const WordId* context, uint32_t source_position, float* hidden) {
  std::copy_n(model_.hidden_bias(), stride_, hidden);
  auto add = [&](const float* part) {
    for (uint32_t i = 0; i < stride_; ++i) hidden[i] += part[i];
  };
  if (model_.reads_source())
    add(source_part(std::min(source_position, static_cast<uint32_t>(source_known_.size()) - 1)));
  for (uint32_t place = 0; place + 1 < model_.order(); ++place) {
    const WordId word = context[place];
    if (word == no_word) continue;
    if (!model_.header().full_context) {
      add_word(model_.input(), word, model_.context(), false, place, hidden);
      continue;
    }
    const uint64_t key = mix(uint64_t{word} * max_order + place) | 1;
    uint32_t slot = product_keys_.find(key);
    if (slot == KeySets::absent) {
      slot = product_keys_.insert(key);
      float* product = products_.data() + size_t{slot} * stride_;
      std::fill_n(product, stride_, 0.0f);
      add_word(model_.input(), word, model_.context(), true, place, product);
    }
    add(products_.data() + size_t{slot} * stride_);
  }
}

}  // namespace dragoman::nlm
