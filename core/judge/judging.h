// The work of judging the translations of one sentence. Candidates have most of their beginnings in common, so the
// network runs over the tree of these, each of them once. It goes through the tree some of them at a time, and keeps
// what the path to the next of them has said, so that a thousand candidates take no more memory than ten.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/interrupt.h"
#include "judge/judge.h"
#include "judge/prefix_tree.h"

namespace dragoman::judge {

struct JudgedCandidate {
  double log_prob;  // natural, of all its pieces and the end; the mean where they are read from both ends
  uint32_t pieces;  // the end among them
};

// A candidate's score is the same whatever the others are.
std::vector<JudgedCandidate> score(const Judge& judge, std::span<const std::string_view> source,
                                   std::span<const std::vector<std::string_view>> candidates, Judge::Holes holes = {},
                                   Interrupt* interrupt = nullptr);

class Judging {
 public:
  // Reads the source sentence.
  Judging(const Judge& judge, std::span<const PieceId> source, Interrupt* interrupt);

  std::vector<JudgedCandidate> score(std::vector<std::vector<PieceId>> candidates);

 private:
  // Rows that a block of products is made of, those of them that have logits at a time, and the beginnings that go
  // through all layers together.
  static constexpr uint32_t block = 64, few = 32, chunk = 256;

  void read(std::span<const PieceId> source);
  // What a decoder looks at in the source.
  void prepare(const Stack& decoder);
  // What a decoder thinks of each candidate.
  std::vector<double> score(const PrefixTree& tree, const Stack& decoder);
  // What the network makes of beginnings, from `first` on.
  void states_of(const PrefixTree& tree, const Stack& decoder, uint32_t first, std::vector<float>& states);
  // Keeps what the ancestors of `next` say at this layer, those from `first` on.
  void remember_path(const PrefixTree& tree, uint32_t first, uint32_t next, std::vector<float>& above) const;
  // `reach` tells which keys, with their values behind them, a row looks at.
  template <class Reach>
  void attend_self(const Layer& layer, std::vector<float>& states, const Reach& reach);
  void attend_source(const Layer& layer, size_t number, std::vector<float>& states);
  void feed_forward(const Layer& layer, std::vector<float>& states);
  void embed(PieceId piece, uint32_t position, float* state);
  void normalise(const Norm& norm, const float* states, uint32_t rows, float* out) const;
  void multiply(const Linear& linear, const float* in, uint32_t rows, float* out, size_t out_stride);
  void add(float* states, const float* values, uint32_t rows) const;
  const float* key_of(size_t row) const { return projected_.data() + (3 * row + 1) * dimension_; }

  const Judge& judge_;
  Interrupt* interrupt_;
  const uint32_t dimension_, heads_, head_size_;
  uint32_t source_size_ = 0;
  std::vector<float> encoded_;
  // By layer of a decoder: a key and a value for each source piece, and for each beginning on the path by its depth.
  std::vector<std::vector<float>> source_keys_, above_;
  std::vector<float> positions_;  // a row for each, as far as they were wanted
  std::vector<float> normed_, mixed_, added_, wide_, projected_, weights_;
  std::vector<uint8_t> codes_;
  std::vector<nlm::Activation> activations_;
  std::vector<const float*> keys_, values_;
  nlm::ReadAhead ahead_;
};

}  // namespace dragoman::judge
