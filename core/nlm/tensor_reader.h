// The tensors that a model is written from, by name; what has not the size it should have is a ConfigError that names
// it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/errors.h"
#include "nlm/matrix.h"

namespace dragoman::nlm {

using Tensors = std::map<std::string, std::span<const std::byte>, std::less<>>;

// Looks up tensors and checks their sizes; the views are as aligned as the caller's buffers, so values are copied out.
class TensorReader {
 public:
  explicit TensorReader(const Tensors& tensors) : tensors_(tensors) {}

  bool has(std::string_view name) const { return tensors_.contains(name); }
  uint64_t bytes(std::string_view name) const { return find(name).size(); }

  template <class T>
  std::vector<T> values(const std::string& name, uint64_t count) {
    const auto bytes = sized(name, count * sizeof(T));
    std::vector<T> values(count);
    if (count) std::memcpy(values.data(), bytes.data(), bytes.size());
    if constexpr (std::is_same_v<T, float>) require_finite(name, values);
    return values;
  }
  template <class T>
  std::vector<T> all(const std::string& name) {
    const uint64_t size = find(name).size();
    if (size % sizeof(T)) throw ConfigError(name, "has a size that is no multiple of its element's");
    return values<T>(name, size / sizeof(T));
  }
  // Rows of a matrix, by a permutation if one is given.
  EncodedMatrix matrix(const std::string& name, Precision precision, uint32_t rows, uint32_t dimension, uint32_t stride,
                       std::span<const uint32_t> order = {}) {
    const auto bytes = sized(name, uint64_t{rows} * dimension * sizeof(float));
    const auto count = order.empty() ? rows : static_cast<uint32_t>(order.size());
    return encode_matrix(precision, count, stride, [&](uint32_t row, float* to) {
      const uint32_t from = order.empty() ? row : order[row];
      std::memcpy(to, bytes.data() + uint64_t{from} * dimension * sizeof(float), dimension * sizeof(float));
      require_finite(name, {to, dimension});
    });
  }
  void all_used() const {
    for (const auto& [name, bytes] : tensors_)
      if (std::ranges::find(used_, name) == used_.end())
        throw ConfigError(name, "is not a tensor of this kind of model");
  }

 private:
  std::span<const std::byte> find(std::string_view name) const {
    const auto tensor = tensors_.find(name);
    if (tensor == tensors_.end()) throw ConfigError(std::string(name), "is missing among the tensors");
    return tensor->second;
  }
  std::span<const std::byte> sized(const std::string& name, uint64_t bytes) {
    const auto tensor = find(name);
    used_.push_back(name);
    if (tensor.size() != bytes)
      throw ConfigError(name, "has " + std::to_string(tensor.size()) + " bytes where the model's size asks for " +
                                  std::to_string(bytes));
    return tensor;
  }
  static void require_finite(const std::string& name, std::span<const float> values) {
    for (float value : values)
      if (!std::isfinite(value))
        throw ConfigError(name, "holds values that are no finite numbers; train again with a lower learning rate");
  }

  const Tensors& tensors_;
  std::vector<std::string> used_;
};

}  // namespace dragoman::nlm
