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
      reach(first + row, [&](const float* key) {
        keys_.push_back(key);
        values_.push_back(key + dimension_);
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
  for (const Layer& layer : judge_.encoder_.layers) {
    attend_self(layer, states, [&](uint32_t, auto&& see) {
      for (uint32_t i = 0; i < source_size_; ++i) see(key_of(i));
    });
    feed_forward(layer, states);
  }
  encoded_.resize(states.size());
  normalise(judge_.encoder_.norm, states.data(), source_size_, encoded_.data());
}

void Judging::prepare(const Stack& decoder) {
  const size_t stride = size_t{2} * dimension_;
  source_keys_.resize(decoder.layers.size());
  above_.resize(decoder.layers.size());
  for (size_t number = 0; number < decoder.layers.size(); ++number) {
    const Attention& cross = decoder.layers[number].cross;
    source_keys_[number].resize(source_size_ * stride);
    for (uint32_t first = 0; first < source_size_; first += block)
      multiply(cross.key.with(cross.value), encoded_.data() + size_t{first} * dimension_,
               std::min(block, source_size_ - first), source_keys_[number].data() + first * stride, stride);
  }
}

void Judging::remember_path(const PrefixTree& tree, uint32_t first, uint32_t next, std::vector<float>& above) const {
  if (next == tree.prefixes.size()) return;
  const size_t size = size_t{2} * dimension_;
  above.resize(std::max(above.size(), tree.prefixes[next].depth * size));
  for (uint32_t at = tree.prefixes[next].parent; at >= first; at = tree.prefixes[at].parent) {
    std::copy_n(key_of(at - first), size, above.begin() + static_cast<ptrdiff_t>(tree.prefixes[at].depth * size));
    if (at == PrefixTree::root) break;
  }
}

void Judging::states_of(const PrefixTree& tree, const Stack& decoder, uint32_t first, std::vector<float>& states) {
  const auto rows = static_cast<uint32_t>(states.size() / dimension_);
  for (uint32_t i = 0; i < rows; ++i)
    embed(tree.prefixes[first + i].piece, tree.prefixes[first + i].depth, states.data() + size_t{i} * dimension_);
  std::vector<uint32_t> path;
  for (size_t number = 0; number < decoder.layers.size(); ++number) {
    attend_self(decoder.layers[number], states, [&](uint32_t row, auto&& see) {
      path.assign(1, first + row);
      while (path.back() != PrefixTree::root && tree.prefixes[path.back()].parent >= first)
        path.push_back(tree.prefixes[path.back()].parent);
      const uint32_t earlier = tree.prefixes[path.back()].depth;
      for (uint32_t depth = 0; depth < earlier; ++depth) see(above_[number].data() + size_t{2} * depth * dimension_);
      for (size_t i = path.size(); i-- > 0;) see(key_of(path[i] - first));
    });
    remember_path(tree, first, first + rows, above_[number]);
    attend_source(decoder.layers[number], number, states);
    feed_forward(decoder.layers[number], states);
  }
}

std::vector<double> Judging::score(const PrefixTree& tree, const Stack& decoder) {
  prepare(decoder);
  const auto all = static_cast<uint32_t>(tree.prefixes.size());
  std::vector<double> log_prob(all), log_end(all);  // of its last piece after its parent, and of the end after it
  const Linear output{&judge_.narrow_, 0, judge_.header_.pieces, judge_.no_bias_.data(),
                      judge_.narrow_corrections_.empty() ? nullptr : judge_.narrow_corrections_.data()};
  const size_t stride = nlm::padded(output.rows);
  std::vector<float> states, logits(few * stride);
  for (uint32_t begin = 0; begin < all; begin += chunk) {
    states.resize(size_t{std::min(chunk, all - begin)} * dimension_);
    states_of(tree, decoder, begin, states);
    const uint32_t end = std::min(all, begin + chunk);
    for (uint32_t first = begin; first < end; first += few) {
      check(interrupt_);
      const uint32_t rows = std::min(few, end - first);
      normalise(decoder.norm, states.data() + size_t{first - begin} * dimension_, rows, normed_.data());
      multiply(output, normed_.data(), rows, logits.data(), stride);
      for (uint32_t row = 0; row < rows; ++row) {
        float* values = logits.data() + row * stride;
        const float sum = judge_.products_->log_sum_exp(values, output.rows);
        log_end[first + row] = values[end_piece] - sum;
        for (uint32_t child = tree.prefixes[first + row].first_child; child != PrefixTree::none;
             child = tree.prefixes[child].next_sibling)
          log_prob[child] = values[tree.prefixes[child].piece] - sum;
      }
    }
  }

  for (uint32_t i = 1; i < all; ++i) log_prob[i] += log_prob[tree.prefixes[i].parent];
  std::vector<double> judged;
  for (const PrefixTree::Candidate& candidate : tree.candidates)
    judged.push_back(log_prob[candidate.whole] + log_end[candidate.whole]);
  return judged;
}

std::vector<JudgedCandidate> Judging::score(std::vector<std::vector<PieceId>> candidates) {
  const PrefixTree forward(candidates);
  const std::vector<double> log_probs = score(forward, judge_.decoder_);
  std::vector<JudgedCandidate> judged;
  for (size_t i = 0; i < candidates.size(); ++i) judged.push_back({log_probs[i], forward.candidates[i].pieces});
  if (judge_.backward_.layers.empty()) return judged;
  for (auto& candidate : candidates) std::ranges::reverse(candidate);
  const std::vector<double> others = score(PrefixTree(candidates), judge_.backward_);
  for (size_t i = 0; i < candidates.size(); ++i) judged[i].log_prob = (judged[i].log_prob + others[i]) / 2;
  return judged;
}

std::vector<JudgedCandidate> score(const Judge& judge, std::span<const std::string_view> source,
                                   std::span<const std::vector<std::string_view>> candidates, Judge::Holes holes,
                                   Interrupt* interrupt) {
  std::vector<PieceId> read = judge.encode(source, holes);
  read.push_back(end_piece);
  std::vector<std::vector<PieceId>> pieces;
  for (const auto& candidate : candidates) pieces.push_back(judge.encode(candidate, holes));
  return Judging(judge, read, interrupt).score(std::move(pieces));
}

}  // namespace dragoman::judge
