#include "judge/judging.h"

#include <algorithm>
#include <cmath>

namespace dragoman::judge {

Judging::Judging(const Judge& judge, std::span<const PieceId> source, Interrupt* interrupt)
    : judge_(judge),
      interrupt_(interrupt),
      dimension_(judge.header_.dimension),
      heads_(judge.header_.heads),
      head_size_(dimension_ / heads_),
      normed_(size_t{block} * dimension_),
      mixed_(size_t{block} * dimension_),
      added_(size_t{block} * dimension_),
      wide_(size_t{block} * judge.header_.feedforward),
      codes_(size_t{block} * std::max(dimension_, judge.header_.feedforward)) {
  read(source);
}

void Judging::embed(PieceId piece, uint32_t position, float* state) {
  judge_.narrow_.decode(piece, state);
  const uint32_t half = dimension_ / 2;
  while (positions_.size() <= size_t{position} * dimension_) {
    const auto place = static_cast<double>(positions_.size() / dimension_);
    const size_t at = positions_.size();
    positions_.resize(at + dimension_);
    for (uint32_t wave = 0; wave < half; ++wave) {
      const double angle = place / judge_.wavelengths_[wave];
      positions_[at + wave] = static_cast<float>(std::sin(angle));
      positions_[at + half + wave] = static_cast<float>(std::cos(angle));
    }
  }
  const float size = std::sqrt(static_cast<float>(dimension_));
  const float* place = positions_.data() + size_t{position} * dimension_;
  for (uint32_t i = 0; i < dimension_; ++i) state[i] = state[i] * size + place[i];
}

void Judging::normalise(const Norm& norm, const float* states, uint32_t rows, float* out) const {
  for (uint32_t row = 0; row < rows; ++row)
    judge_.kernels_->normalise(states + size_t{row} * dimension_, norm.weight, norm.bias,
                               out + size_t{row} * dimension_, dimension_);
}

void Judging::multiply(const Linear& linear, const float* in, uint32_t rows, float* out, size_t out_stride) {
  const uint32_t size = linear.matrix->stride;
  activations_.clear();
  for (uint32_t row = 0; row < rows; ++row) {
    const float* values = in + size_t{row} * size;
    uint8_t* codes = codes_.data() + size_t{row} * size;
    const float scale = linear.corrections ? judge_.kernels_->encode(values, codes, size) : 1;
    activations_.push_back({values, codes, scale});
  }
  judge_.products_->logits(*linear.matrix, linear.first, linear.rows, linear.bias, activations_.data(), rows, out,
                           out_stride, ahead_);
  if (linear.corrections)
    for (uint32_t row = 0; row < rows; ++row)
      judge_.kernels_->correct(out + row * out_stride, linear.corrections, activations_[row].scale,
                               nlm::padded(linear.rows));
}

void Judging::add(float* states, const float* values, uint32_t rows) const {
  judge_.kernels_->add(states, values, rows * dimension_);
}

template <class Reach>
void Judging::attend_self(const Layer& layer, std::vector<float>& states, const Reach& reach) {
  const Attention& attention = layer.attention;
  const auto all = static_cast<uint32_t>(states.size() / dimension_);
  const size_t stride = size_t{3} * dimension_;
  projected_.resize(all * stride);
  const Linear three = attention.query.with(attention.key).with(attention.value);
  for (uint32_t first = 0; first < all; first += block) {
    const uint32_t rows = std::min(block, all - first);
    normalise(attention.norm, states.data() + size_t{first} * dimension_, rows, normed_.data());
    multiply(three, normed_.data(), rows, projected_.data() + first * stride, stride);
  }
  for (uint32_t first = 0; first < all; first += block) {
    check(interrupt_);
    const uint32_t rows = std::min(block, all - first);
    for (uint32_t row = 0; row < rows; ++row) {
      keys_.clear();
      values_.clear();
      reach(first + row, [&](uint32_t earlier) {
        keys_.push_back(projected_.data() + earlier * stride + dimension_);
        values_.push_back(projected_.data() + earlier * stride + 2 * size_t{dimension_});
      });
      weights_.resize(nlm::padded(static_cast<uint32_t>(keys_.size())));
      judge_.kernels_->attend(projected_.data() + (first + row) * stride,
                              {keys_.data(), values_.data(), static_cast<uint32_t>(keys_.size())}, heads_, head_size_,
                              weights_.data(), mixed_.data() + size_t{row} * dimension_);
    }
    multiply(attention.out, mixed_.data(), rows, added_.data(), dimension_);
    add(states.data() + size_t{first} * dimension_, added_.data(), rows);
  }
}

void Judging::attend_source(const Layer& layer, size_t number, std::vector<float>& states) {
  const auto all = static_cast<uint32_t>(states.size() / dimension_);
  const std::vector<float>& both = source_keys_[number];
  keys_.clear();
  values_.clear();
  for (uint32_t i = 0; i < source_size_; ++i) {
    keys_.push_back(both.data() + size_t{2} * i * dimension_);
    values_.push_back(both.data() + (size_t{2} * i + 1) * dimension_);
  }
  weights_.resize(nlm::padded(source_size_));
  for (uint32_t first = 0; first < all; first += block) {
    check(interrupt_);
    const uint32_t rows = std::min(block, all - first);
    float* from = states.data() + size_t{first} * dimension_;
    normalise(layer.cross.norm, from, rows, normed_.data());
    multiply(layer.cross.query, normed_.data(), rows, added_.data(), dimension_);
    for (uint32_t row = 0; row < rows; ++row)
      judge_.kernels_->attend(added_.data() + size_t{row} * dimension_, {keys_.data(), values_.data(), source_size_},
                              heads_, head_size_, weights_.data(), mixed_.data() + size_t{row} * dimension_);
    multiply(layer.cross.out, mixed_.data(), rows, added_.data(), dimension_);
    add(from, added_.data(), rows);
  }
}

void Judging::feed_forward(const Layer& layer, std::vector<float>& states) {
  const auto all = static_cast<uint32_t>(states.size() / dimension_);
  const uint32_t width = judge_.header_.feedforward;
  for (uint32_t first = 0; first < all; first += block) {
    check(interrupt_);
    const uint32_t rows = std::min(block, all - first);
    float* from = states.data() + size_t{first} * dimension_;
    normalise(layer.feedforward_norm, from, rows, normed_.data());
    multiply(layer.widen, normed_.data(), rows, wide_.data(), width);
    judge_.kernels_->rectify(wide_.data(), rows * width);
    multiply(layer.narrow, wide_.data(), rows, added_.data(), dimension_);
    add(from, added_.data(), rows);
  }
}

void Judging::read(std::span<const PieceId> source) {
  source_size_ = static_cast<uint32_t>(source.size());
  std::vector<float> states(source.size() * dimension_);
  for (uint32_t i = 0; i < source_size_; ++i) embed(source[i], i, states.data() + size_t{i} * dimension_);
  for (const Layer& layer : judge_.encoder_) {
    attend_self(layer, states, [&](uint32_t, auto&& see) {
      for (uint32_t i = 0; i < source_size_; ++i) see(i);
    });
    feed_forward(layer, states);
  }
  std::vector<float> encoded(states.size());
  normalise(judge_.encoder_norm_, states.data(), source_size_, encoded.data());
  for (const Layer& layer : judge_.decoder_) {
    const size_t stride = size_t{2} * dimension_;
    source_keys_.emplace_back(source_size_ * stride);
    for (uint32_t first = 0; first < source_size_; first += block)
      multiply(layer.cross.key.with(layer.cross.value), encoded.data() + size_t{first} * dimension_,
               std::min(block, source_size_ - first), source_keys_.back().data() + first * stride, stride);
  }
}

std::vector<float> Judging::states_of(const PrefixTree& tree) {
  const auto all = static_cast<uint32_t>(tree.prefixes.size());
  std::vector<float> states(size_t{all} * dimension_);
  for (uint32_t i = 0; i < all; ++i)
    embed(tree.prefixes[i].piece, tree.prefixes[i].depth, states.data() + size_t{i} * dimension_);
  std::vector<uint32_t> path;
  for (size_t number = 0; number < judge_.decoder_.size(); ++number) {
    const Layer& layer = judge_.decoder_[number];
    attend_self(layer, states, [&](uint32_t prefix, auto&& see) {
      path.clear();
      for (uint32_t at = prefix; at != PrefixTree::root; at = tree.prefixes[at].parent) path.push_back(at);
      see(PrefixTree::root);
      for (size_t i = path.size(); i-- > 0;) see(path[i]);
    });
    attend_source(layer, number, states);
    feed_forward(layer, states);
  }
  return states;
}

std::vector<JudgedCandidate> Judging::score(const PrefixTree& tree) {
  const auto all = static_cast<uint32_t>(tree.prefixes.size());
  const std::vector<float> states = states_of(tree);
  // What follows each beginning: its children's last pieces, and the end.
  std::vector<std::vector<uint32_t>> children(all);
  for (uint32_t i = 1; i < all; ++i) children[tree.prefixes[i].parent].push_back(i);
  std::vector<double> log_prob(all), log_end(all);  // of its last piece after its parent, and of the end after it
  const Linear output{&judge_.narrow_, 0, judge_.header_.pieces, judge_.no_bias_.data(),
                      judge_.narrow_corrections_.empty() ? nullptr : judge_.narrow_corrections_.data()};
  constexpr uint32_t few = 16;  // rows of logits at a time
  const size_t stride = nlm::padded(output.rows);
  std::vector<float> logits(few * stride);
  for (uint32_t first = 0; first < all; first += few) {
    check(interrupt_);
    const uint32_t rows = std::min(few, all - first);
    normalise(judge_.decoder_norm_, states.data() + size_t{first} * dimension_, rows, normed_.data());
    multiply(output, normed_.data(), rows, logits.data(), stride);
    for (uint32_t row = 0; row < rows; ++row) {
      float* values = logits.data() + row * stride;
      const float sum = judge_.products_->log_sum_exp(values, output.rows);
      log_end[first + row] = values[end_piece] - sum;
      for (const uint32_t child : children[first + row]) log_prob[child] = values[tree.prefixes[child].piece] - sum;
    }
  }

  for (uint32_t i = 1; i < all; ++i) log_prob[i] += log_prob[tree.prefixes[i].parent];
  std::vector<JudgedCandidate> judged;
  for (const PrefixTree::Candidate& candidate : tree.candidates)
    judged.push_back({log_prob[candidate.whole] + log_end[candidate.whole], candidate.pieces});
  return judged;
}

std::vector<JudgedCandidate> score(const Judge& judge, std::span<const std::string_view> source,
                                   std::span<const std::vector<std::string_view>> candidates, Judge::Holes holes,
                                   Interrupt* interrupt) {
  std::vector<PieceId> read = judge.encode(source, holes);
  read.push_back(end_piece);
  PrefixTree prefixes;
  for (const auto& candidate : candidates)
    if (!prefixes.add(judge.encode(candidate, holes), most_prefixes)) break;
  return Judging(judge, read, interrupt).score(prefixes);
}

}  // namespace dragoman::judge
