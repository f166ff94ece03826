// A judge, opened: its pieces, and its layers as views of the mapped file. Immutable and shared by threads.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/container.h"
#include "judge/format.h"
#include "judge/kernels.h"
#include "judge/pieces.h"
#include "nlm/kernels.h"
#include "nlm/matrix.h"

namespace dragoman::judge {

// A product with some rows of a matrix.
struct Linear {
  const nlm::MatrixView* matrix;
  uint32_t first, rows;
  const float* bias;
  const float* corrections;  // by row, for bytes: 128 times the sum of its values

  // The rows of this one and of the next, which follow it in the file.
  Linear with(const Linear& next) const { return {matrix, first, rows + next.rows, bias, corrections}; }
};

struct Norm {
  const float *weight, *bias;
};

struct Attention {
  Norm norm;
  Linear query, key, value, out;
};

struct Layer {
  Attention attention, cross;
  Norm feedforward_norm;
  Linear widen, narrow;
};

// The encoder or a decoder; no layers where the judge has none such.
struct Stack {
  std::vector<Layer> layers;
  Norm norm{};
};

class Judge {
 public:
  // A piece for each word that is one of these, whatever its text.
  using Holes = std::span<const std::string_view>;

  static std::shared_ptr<const Judge> open(const std::string& path, Trust trust = Trust::verify_hashes);
  static std::shared_ptr<const Judge> parse(const Container& file);

  const Header& header() const { return header_; }
  const Pieces& pieces() const { return pieces_; }
  const Container& file() const { return *file_; }

  std::vector<PieceId> encode(std::span<const std::string_view> words, Holes holes) const;

 private:
  friend class Judging;
  Judge() = default;

  std::shared_ptr<const Container> file_;
  Header header_{};
  Pieces pieces_;
  nlm::MatrixView narrow_, wide_;
  std::vector<float> narrow_corrections_, wide_corrections_, no_bias_;
  std::vector<double> wavelengths_;  // of the positions' sines, in places for an angle of 1
  Stack encoder_, decoder_, backward_;
  const nlm::NlmKernels* products_ = &nlm::nlm_kernels();
  const JudgeKernels* kernels_ = &judge_kernels();
};

}  // namespace dragoman::judge
