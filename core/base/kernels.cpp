#include "base/kernels.h"

#include <cstdint>
#include <cstring>

namespace dragoman::DRAGOMAN_KERNELS {
namespace {

size_t ascii_prefix(const char* text, size_t size) {
  // Whole blocks without an early exit inside, so that the compiler can use the widest registers.
  constexpr size_t block = 64;
  size_t at = 0;
  for (; at + block <= size; at += block) {
    unsigned char any = 0;
    for (size_t i = 0; i < block; ++i) any |= static_cast<unsigned char>(text[at + i]);
    if (any & 0x80) break;
  }
  while (at < size && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

size_t count_byte(const char* text, size_t size, char byte) {
  size_t count = 0;
  for (size_t at = 0; at < size;) {
    // An 8-bit counter per lane cannot overflow within 255 rounds.
    const size_t end = size - at < 255 ? size : at + 255;
    uint8_t part = 0;
    for (; at < end; ++at) part = static_cast<uint8_t>(part + (text[at] == byte));
    count += part;
  }
  return count;
}

}  // namespace

extern const BaseKernels base_table;
const BaseKernels base_table{ascii_prefix, count_byte};

}  // namespace dragoman::DRAGOMAN_KERNELS
