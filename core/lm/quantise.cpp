#include "lm/quantise.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dragoman::lm {
namespace {

constexpr size_t cells = size_t{1} << 16;
constexpr int rounds = 24;
constexpr size_t index_cells = 4096;

bool same_bits(float a, float b) { return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b); }

// The different values, sorted, or nothing if there are more than `limit`.
std::vector<float> few_values(std::span<const float> values, size_t limit, const float* reserved) {
  std::vector<float> different;
  for (float value : values) {
    if (reserved && same_bits(value, *reserved)) continue;
    // Runs of equal values are common: most contexts were seen once.
    const auto at = std::lower_bound(different.begin(), different.end(), value);
    if (at != different.end() && *at == value) continue;
    if (different.size() == limit) return {};
    different.insert(at, value);
  }
  return different;
}

struct Cell {
  double weight = 0;
  double sum = 0;
};

// Boundaries in the middle between neighbours, then every centre moves to the mean of its values, and again.
std::vector<float> lloyd(std::span<const float> values, size_t centres, const float* reserved) {
  auto counts = [&](float value) { return !(reserved && same_bits(value, *reserved)); };
  float smallest = INFINITY;
  float largest = -INFINITY;
  for (float value : values)
    if (counts(value)) {
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
  const double scale = static_cast<double>(cells - 1) / (static_cast<double>(largest) - smallest);
  std::vector<Cell> histogram(cells);
  for (float value : values)
    if (counts(value)) {
      Cell& cell = histogram[static_cast<size_t>((static_cast<double>(value) - smallest) * scale)];
      cell.weight += 1;
      cell.sum += value;
    }
  // Cells with something in them, and running sums over them. A cell counts by the root of its weight: the rare values
  // at the ends belong to frequent contexts, which are asked for most.
  std::vector<double> mean;
  std::vector<double> weight_before{0};
  std::vector<double> sum_before{0};
  for (const Cell& cell : histogram)
    if (cell.weight > 0) {
      const double weight = std::sqrt(cell.weight);
      mean.push_back(cell.sum / cell.weight);
      weight_before.push_back(weight_before.back() + weight);
      sum_before.push_back(sum_before.back() + weight * mean.back());
    }
  // Start: half of the centres at equal distances, so that no value is ever far from one, and half where the weight is.
  std::vector<double> centre;
  const size_t even = centres / 2;
  for (size_t i = 0; i < even; ++i)
    centre.push_back(smallest + (static_cast<double>(largest) - smallest) * (static_cast<double>(i) + 0.5) /
                                    static_cast<double>(even));
  size_t placed = 0;
  for (size_t i = 0; i < mean.size(); ++i)
    while (placed < centres - even && weight_before[i + 1] > weight_before.back() *
                                                                 (static_cast<double>(placed) + 0.5) /
                                                                 static_cast<double>(centres - even)) {
      centre.push_back(mean[i]);
      ++placed;
    }
  std::sort(centre.begin(), centre.end());
  for (int round = 0; round < rounds; ++round) {
    size_t begin = 0;
    for (size_t c = 0; c < centre.size(); ++c) {
      size_t end = mean.size();
      if (c + 1 < centre.size())
        end = static_cast<size_t>(std::lower_bound(mean.begin(), mean.end(), (centre[c] + centre[c + 1]) / 2) -
                                  mean.begin());
      if (end > begin) centre[c] = (sum_before[end] - sum_before[begin]) / (weight_before[end] - weight_before[begin]);
      begin = std::max(begin, end);
    }
    std::sort(centre.begin(), centre.end());
  }
  std::vector<float> result(centre.begin(), centre.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

Codebook Codebook::learn(std::span<const float> values, uint32_t bits, const float* reserved) {
  Codebook book;
  book.has_reserved_ = reserved != nullptr;
  const size_t codes = size_t{1} << bits;
  const size_t free = codes - (reserved ? 1 : 0);
  std::vector<float> centres = few_values(values, free, reserved);
  if (centres.empty() && std::any_of(values.begin(), values.end(),
                                     [&](float value) { return !(reserved && same_bits(value, *reserved)); }))
    centres = lloyd(values, free, reserved);
  if (reserved) {
    book.values_.push_back(*reserved);
    book.first_ = 1;
  }
  book.values_.insert(book.values_.end(), centres.begin(), centres.end());
  book.used_ = static_cast<uint32_t>(book.values_.size());
  book.values_.resize(codes, book.values_.empty() ? 0.0f : book.values_.back());
  book.index();
  return book;
}

void Codebook::index() {
  if (used_ == first_) return;
  smallest_ = values_[first_];
  const float width = values_[used_ - 1] - smallest_;
  cells_per_unit_ = width > 0 ? static_cast<float>(index_cells) / width : 0;
  first_of_cell_.assign(index_cells + 1, used_ - 1);
  for (uint32_t code = used_; code-- > first_;) first_of_cell_[cell_of(values_[code])] = code;
  for (size_t cell = index_cells; cell-- > 0;)
    if (first_of_cell_[cell] == used_ - 1) first_of_cell_[cell] = first_of_cell_[cell + 1];
}

size_t Codebook::cell_of(float value) const {
  return static_cast<size_t>(std::clamp((value - smallest_) * cells_per_unit_, 0.0f, static_cast<float>(index_cells)));
}

uint32_t Codebook::code(float value) const {
  if (has_reserved_ && same_bits(value, values_[0])) return 0;
  // The nearest of two neighbours.
  uint32_t at = first_of_cell_[cell_of(value)];
  while (at + 1 < used_ && values_[at] < value) ++at;
  if (at > first_ && value - values_[at - 1] < values_[at] - value) --at;
  return at;
}

}  // namespace dragoman::lm
