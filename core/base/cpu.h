// Which of the compiled instruction sets this processor can run. kernels.cpp files are compiled once per level into
// namespaces of these names; select() picks one. Results are the same bits for all integer kernels and equal per level
// for floating point.
#pragma once

#include <string_view>

namespace dragoman {

enum class KernelLevel { baseline, avx2, avx512 };

// The best level of this processor that this binary carries.
KernelLevel best_kernel_level();

// `baseline`, `avx2` or `avx512`.
std::string_view kernel_level_name(KernelLevel level);

// The implementation for a level; levels this binary was built without fall back to baseline.
template <class Function>
Function* select(KernelLevel level, Function* baseline, [[maybe_unused]] Function* avx2,
                 [[maybe_unused]] Function* avx512) {
  if (level == KernelLevel::avx512 && avx512) return avx512;
  if (level >= KernelLevel::avx2 && avx2) return avx2;
  return baseline;
}

}  // namespace dragoman
