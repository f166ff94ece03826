#include "base/kernels.h"

namespace dragoman {

namespace baseline {
extern const BaseKernels base_table;
}
#ifdef DRAGOMAN_X86_KERNELS
namespace avx2 {
extern const BaseKernels base_table;
}
namespace avx512 {
extern const BaseKernels base_table;
}
#endif

const BaseKernels& base_kernels(KernelLevel level) {
#ifdef DRAGOMAN_X86_KERNELS
  return *select(level, &baseline::base_table, &avx2::base_table, &avx512::base_table);
#else
  return *select<const BaseKernels>(level, &baseline::base_table, nullptr, nullptr);
#endif
}

const BaseKernels& base_kernels() {
  static const BaseKernels& chosen = base_kernels(best_kernel_level());
  return chosen;
}

}  // namespace dragoman
