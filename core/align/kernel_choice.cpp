#include "align/kernels.h"

namespace dragoman::align {

namespace baseline {
extern const AlignKernels align_table;
}
#ifdef DRAGOMAN_X86_KERNELS
namespace avx2 {
extern const AlignKernels align_table;
}
namespace avx512 {
extern const AlignKernels align_table;
}
#endif

const AlignKernels& align_kernels(KernelLevel level) {
#ifdef DRAGOMAN_X86_KERNELS
  return *select(level, &baseline::align_table, &avx2::align_table, &avx512::align_table);
#else
  return *select<const AlignKernels>(level, &baseline::align_table, nullptr, nullptr);
#endif
}

const AlignKernels& align_kernels() {
  static const AlignKernels& chosen = align_kernels(best_kernel_level());
  return chosen;
}

}  // namespace dragoman::align
