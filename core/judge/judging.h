// The work of judging the translations of one sentence. Candidates have most of their beginnings in common, so the
// network runs over the tree of these, each of them once.
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
  double log_prob;  // natural, of all its pieces and the end
  uint32_t pieces;  // the end among them
};

// Distinct beginnings of candidates that are kept at once; what they need is a few times the dimension in floats.
inline constexpr uint32_t most_prefixes = 4096;

// Scores candidates, best ones first, until their beginnings are too many; of one candidate there is always a score,
// the same whatever the others are.
std::vector<JudgedCandidate> score(const Judge& judge, std::span<const std::string_view> source,
                                   std::span<const std::vector<std::string_view>> candidates, Judge::Holes holes = {},
                                   Interrupt* interrupt = nullptr);

class Judging {
 public:
  // Reads the source sentence.
  Judging(const Judge& judge, std::span<const PieceId> source, Interrupt* interrupt);

  std::vector<JudgedCandidate> score(const PrefixTree& tree);

 private:
  // Rows that a block of products is made of.
  static constexpr uint32_t block = 64;

  void read(std::span<const PieceId> source);
  // What the network makes of each beginning.
  std::vector<float> states_of(const PrefixTree& tree);
  // `reach` tells which rows a row looks at.
  template <class Reach>
  void attend_self(const Layer& layer, std::vector<float>& states, const Reach& reach);
  void attend_source(const Layer& layer, size_t number, std::vector<float>& states);
  void feed_forward(const Layer& layer, std::vector<float>& states);
  void embed(PieceId piece, uint32_t position, float* state);
  void normalise(const Norm& norm, const float* states, uint32_t rows, float* out) const;
  void multiply(const Linear& linear, const float* in, uint32_t rows, float* out, size_t out_stride);
  void add(float* states, const float* values, uint32_t rows) const;

  const Judge& judge_;
  Interrupt* interrupt_;
  const uint32_t dimension_, heads_, head_size_;
  uint32_t source_size_ = 0;
  std::vector<std::vector<float>> source_keys_;  // by layer of the decoder: a key and a value for each source piece
  std::vector<float> positions_;                 // a row for each, as far as they were wanted
  std::vector<float> normed_, mixed_, added_, wide_, projected_, weights_;
  std::vector<uint8_t> codes_;
  std::vector<nlm::Activation> activations_;
  std::vector<const float*> keys_, values_;
  nlm::ReadAhead ahead_;
};

}  // namespace dragoman::judge
