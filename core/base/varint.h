// Whole numbers in as few bytes as they need: seven bits a byte, the lowest first, the eighth says that more follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman {

template <class Bytes>
void append_varint(Bytes& out, uint64_t value) {
  using Byte = typename Bytes::value_type;
  for (; value >= 128; value >>= 7) out.push_back(static_cast<Byte>(value | 128));
  out.push_back(static_cast<Byte>(value));
}

// A number among bytes that this process wrote itself.
inline uint64_t take_varint(const uint8_t*& at) {
  uint64_t value = *at & 127;
  for (uint32_t shift = 7; *at++ >= 128; shift += 7) value |= uint64_t{*at & 127u} << shift;
  return value;
}

// Reads bytes and numbers one after the other and never beyond the end.
class VarintReader {
 public:
  explicit VarintReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool done() const { return at_ == bytes_.size(); }
  size_t position() const { return at_; }
  // Only where not done.
  uint8_t byte() { return bytes_[at_++]; }
  // False if the bytes end before the number does, or the number is larger than the type holds.
  template <class Number>
  bool read(Number& value) {
    value = 0;
    for (uint32_t shift = 0; shift < 8 * sizeof(Number) && at_ < bytes_.size(); shift += 7) {
      const Number part = bytes_[at_] & 127;
      if (static_cast<Number>(part << shift) >> shift != part) return false;
      value |= static_cast<Number>(part << shift);
      if (bytes_[at_++] < 128) return true;
    }
    return false;
  }

 private:
  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
};

}  // namespace dragoman
