// Loops over raw bytes that gain from wide registers, one table per instruction set.
#pragma once

#include <cstddef>

#include "base/cpu.h"

namespace dragoman {

struct BaseKernels {
  // Length of the longest prefix of bytes below 0x80.
  size_t (*ascii_prefix)(const char* text, size_t size);
  // How often a byte occurs.
  size_t (*count_byte)(const char* text, size_t size, char byte);
};

const BaseKernels& base_kernels(KernelLevel level);
// For this processor.
const BaseKernels& base_kernels();

}  // namespace dragoman
