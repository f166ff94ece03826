// Noise for noise contrastive estimation (thesis 4.5; Mnih and Teh 2012): candidates of a softmax factor, drawn as
// often as they occur in the text. A factor is a stretch of rows of a table: all classes, or the words of one class.
//
// Words that share their noise may have it in expectation: a factor that has no more candidates than are drawn is met
// by every candidate once, with the weight of how often it would come, which has the same mean and no variance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"

namespace dragoman::nlm {

class Noise {
 public:
  // `counts` by row of the table; factor i is the rows [factor_begin[i], factor_begin[i + 1]). `samples` are drawn for
  // each word.
  Noise(std::span<const double> counts, std::span<const uint32_t> factor_begin, uint32_t samples);

  uint32_t samples() const { return samples_; }
  // ln(samples * P(row)), by row.
  const std::vector<float>& logs() const { return logs_; }

  // Rows of the factor that begins at `first` and has `count`, as many as there is room for.
  void draw(uint32_t first, uint32_t count, Random random, std::span<uint32_t> rows) const;
  // How often each row of a factor comes where all words share their noise.
  void share(uint32_t first, uint32_t count, Random random, std::span<float> times) const;

 private:
  uint32_t samples_;
  std::vector<float> logs_;
  std::vector<double> running_;  // sums of the counts before each row
};

}  // namespace dragoman::nlm
