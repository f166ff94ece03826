// Integers of one width in bits, back to back. Reading one is two loads and a shift; the 8 bytes of padding after
// every container section make the second load safe at the end.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/array.h"
#include "base/container.h"

namespace dragoman {

// Bits needed to store every value up to `largest`.
inline uint32_t bits_for(uint64_t largest) { return largest == 0 ? 1 : static_cast<uint32_t>(std::bit_width(largest)); }

// Bytes that hold `count` values of `width` bits, without padding.
inline uint64_t packed_bytes(uint64_t count, uint32_t width) { return (count * width + 7) / 8; }

// A view; the bytes belong to somebody else. Widths up to 57 bits, so that one unaligned word holds any value.
class PackedArray {
 public:
  static constexpr uint32_t max_width = 57;

  PackedArray() = default;
  // A section written by PackedWriter; throws FormatError unless it holds `count` values of `width` bits.
  PackedArray(const Container& container, std::string_view section, uint64_t count, uint32_t width)
      : count_(count), width_(width) {
    auto bytes = container.bytes(section);
    if (width == 0 || width > max_width || count > UINT64_MAX / max_width || bytes.size() != packed_bytes(count, width))
      container.fail(section, "does not hold the number of values it should");
    set(bytes.data());
  }
  // At least 8 readable bytes must follow the values.
  PackedArray(const std::byte* data, uint64_t count, uint32_t width) : count_(count), width_(width) { set(data); }

  uint64_t size() const { return count_; }
  uint32_t width() const { return width_; }
  std::span<const std::byte> bytes() const { return {data_, static_cast<size_t>(packed_bytes(count_, width_))}; }
  uint64_t operator[](uint64_t index) const {
    const uint64_t bit = index * width_;
    uint64_t word;
    std::memcpy(&word, data_ + bit / 8, sizeof word);
    return word >> bit % 8 & mask_;
  }

 private:
  void set(const std::byte* data) {
    data_ = data;
    mask_ = (uint64_t{1} << width_) - 1;
  }

  const std::byte* data_ = nullptr;
  uint64_t count_ = 0;
  uint64_t mask_ = 0;
  uint32_t width_ = 1;
};

// Builds the bytes of a packed array; values may be set in any order, each once.
class PackedWriter {
 public:
  PackedWriter(uint64_t count, uint32_t width, ArrayMemory* memory = array_memory())
      : count_(count), width_(width), bytes_(packed_bytes(count, width) + sizeof(uint64_t), memory) {}

  void set(uint64_t index, uint64_t value) {
    const uint64_t bit = index * width_;
    uint64_t word;
    std::memcpy(&word, bytes_.data() + bit / 8, sizeof word);
    word |= value << bit % 8;
    std::memcpy(bytes_.data() + bit / 8, &word, sizeof word);
  }

  // What goes into a container section.
  std::span<const std::byte> bytes() const { return std::span(bytes_).first(packed_bytes(count_, width_)); }
  PackedArray view() const { return {bytes_.data(), count_, width_}; }
  uint32_t width() const { return width_; }

 private:
  uint64_t count_;
  uint32_t width_;
  Array<std::byte> bytes_;
};

}  // namespace dragoman
