#include "nlm/projection.h"

#include <algorithm>

#include "base/hash.h"

namespace dragoman::nlm {
namespace {

constexpr size_t product_bytes = size_t{2} << 20;

}  // namespace

Projection::Projection(const NeuralModel& model)
    : model_(model),
      stride_(model.header().stride),
      products_(stride_ * sizeof(float), product_bytes),
      row_(stride_),
      zeros_(stride_),
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

void Projection::add_product(const MatrixView& input, WordId word, const float* matrices, uint32_t place, float* sum) {
  const uint32_t dimension = model_.header().dimension;
  const Addend whole{word, ones_.data()};
  model_.kernels().add_rows(input, &whole, 1, zeros_.data(), row_.data());
  model_.kernels().add_product(matrices + size_t{place} * dimension * stride_, dimension, stride_, row_.data(), sum);
}

const float* Projection::product_of(WordId word, uint32_t place) {
  const uint64_t key = mix(uint64_t{word} * max_order + place);
  uint32_t number = products_.find(key);
  if (number == VectorTable::absent) {
    if (!products_.has_room(1)) products_.forget();
    number = products_.add(key);
    auto* product = reinterpret_cast<float*>(products_.at(number));
    std::fill_n(product, stride_, 0.0f);
    add_product(model_.input(), word, model_.context(), place, product);
  }
  return reinterpret_cast<const float*>(products_.at(number));
}

// The hidden layer's bias and the words of the source around a position.
const float* Projection::source_part(uint32_t position) {
  float* part = source_parts_.data() + size_t{position} * stride_;
  if (source_known_[position]) return part;
  const int64_t window = model_.header().source_window;
  Addend addends[2 * max_source_window + 1];
  std::copy_n(model_.hidden_bias(), stride_, part);
  uint32_t count = 0;
  for (int64_t k = -window; k <= window; ++k, ++count) {
    const int64_t at = int64_t{position} + k;
    const WordId word = at < 0                                       ? sentence_begin
                        : at >= static_cast<int64_t>(source_.size()) ? sentence_end
                                                                     : source_[static_cast<size_t>(at)];
    addends[count] = {word, model_.source_context() + size_t{count} * stride_};
    if (model_.header().full_source_context)
      add_product(model_.source_input(), word, model_.source_context(), count, part);
  }
  if (!model_.header().full_source_context)
    model_.kernels().add_rows(model_.source_input(), addends, count, part, part);
  source_known_[position] = true;
  return part;
}

void Projection::prefetch(const WordId* context) const {
  for (uint32_t place = 0; place + 1 < model_.order(); ++place)
    if (context[place] < model_.header().words) model_.input().prefetch(context[place]);
}

void Projection::project(const WordId* context, uint32_t source_position, float* hidden) {
  const float* start = model_.hidden_bias();
  if (model_.reads_source())
    start = source_part(std::min(source_position, static_cast<uint32_t>(source_known_.size()) - 1));
  if (!model_.header().full_context) {
    Addend addends[max_order];
    uint32_t count = 0;
    for (uint32_t place = 0; place + 1 < model_.order(); ++place)
      if (context[place] != no_word) addends[count++] = {context[place], model_.context() + size_t{place} * stride_};
    model_.kernels().add_rows(model_.input(), addends, count, start, hidden);
    return;
  }
  std::copy_n(start, stride_, hidden);
  for (uint32_t place = 0; place + 1 < model_.order(); ++place) {
    if (context[place] == no_word) continue;
    const float* product = product_of(context[place], place);
    for (uint32_t i = 0; i < stride_; ++i) hidden[i] += product[i];
  }
}

}  // namespace dragoman::nlm
