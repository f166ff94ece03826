#include "base/cpu.h"

namespace dragoman {

KernelLevel best_kernel_level() {
#ifdef DRAGOMAN_X86_KERNELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vnni")) {
    return KernelLevel::avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    return KernelLevel::avx2;
#endif
  return KernelLevel::baseline;
}

std::string_view kernel_level_name(KernelLevel level) {
  switch (level) {
    case KernelLevel::avx512:
      return "avx512";
    case KernelLevel::avx2:
      return "avx2";
    default:
      return "baseline";
  }
}

}  // namespace dragoman
