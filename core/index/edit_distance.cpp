#include "index/edit_distance.h"

#include <algorithm>
#include <numeric>

namespace dragoman::index {

uint64_t EditDistance::distance(std::span<const WordId> left, std::span<const WordId> right, uint64_t most) {
  const size_t longest = std::max(left.size(), right.size());
  const uint32_t limit = static_cast<uint32_t>(std::min<uint64_t>(most, longest));
  const uint32_t above = limit + 1;
  const size_t size = right.size();
  if (size == 0) return left.size();
  row_.resize(size + 1);
  for (size_t j = 0; j <= size; ++j) row_[j] = static_cast<uint32_t>(std::min<size_t>(j, above));
  for (size_t i = 1; i <= left.size(); ++i) {
    // Whatever lies further from the diagonal than the limit is above it.
    const size_t first = i > limit ? i - limit : 1, last = std::min(size, i + limit);
    if (first > last) return above;
    uint32_t diagonal = row_[first - 1];
    row_[first - 1] = first == 1 ? static_cast<uint32_t>(std::min<size_t>(i, above)) : above;
    uint32_t lowest = row_[first - 1];
    // The next line goes one further.
    if (last < size) row_[last + 1] = above;
    for (size_t j = first; j <= last; ++j) {
      const uint32_t exchanged = diagonal + (left[i - 1] != right[j - 1]);
      diagonal = row_[j];
      row_[j] = std::min({above, exchanged, row_[j] + 1, row_[j - 1] + 1});
      lowest = std::min(lowest, row_[j]);
    }
    if (lowest > limit) return above;
  }
  return row_[size];
}

Links EditDistance::kept(std::span<const WordId> left, std::span<const WordId> right) {
  const size_t width = right.size() + 1;
  table_.resize((left.size() + 1) * width);
  auto at = [&](size_t i, size_t j) -> uint32_t& { return table_[i * width + j]; };
  std::iota(table_.begin(), table_.begin() + static_cast<ptrdiff_t>(width), 0u);
  for (size_t i = 1; i <= left.size(); ++i) {
    at(i, 0) = static_cast<uint32_t>(i);
    for (size_t j = 1; j < width; ++j)
      at(i, j) = std::min({at(i - 1, j - 1) + (left[i - 1] != right[j - 1]), at(i - 1, j) + 1, at(i, j - 1) + 1});
  }
  Links links;
  for (size_t i = left.size(), j = right.size(); i > 0 && j > 0;) {
    const bool equal = left[i - 1] == right[j - 1];
    if (at(i, j) == at(i - 1, j - 1) + !equal) {
      --i, --j;
      if (equal) links.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(j)});
    } else if (at(i, j) == at(i - 1, j) + 1) {
      --i;
    } else {
      --j;
    }
  }
  std::ranges::reverse(links);
  return links;
}

}  // namespace dragoman::index
