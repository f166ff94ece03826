// A codebook for the values of one level: 2^bits numbers such that the squared error of the nearest is small (Lloyd's
// algorithm on a fine histogram; exact where there are no more different values than codes). Linear in the values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::lm {

class Codebook {
 public:
  // Values equal to `reserved`, bit for bit, get code 0 and no other value does, where reserved is given.
  static Codebook learn(std::span<const float> values, uint32_t bits, const float* reserved = nullptr);

  uint32_t code(float value) const;
  // 2^bits of them.
  const std::vector<float>& values() const { return values_; }

 private:
  void index();
  size_t cell_of(float value) const;

  std::vector<float> values_;
  uint32_t first_ = 0;  // codes from here to used_ rise
  uint32_t used_ = 0;
  bool has_reserved_ = false;
  // Where to begin looking for a value: the first code not below the cell of the range it falls in.
  std::vector<uint32_t> first_of_cell_;
  float smallest_ = 0;
  float cells_per_unit_ = 0;
};

}  // namespace dragoman::lm
