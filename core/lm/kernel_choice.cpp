#include "lm/kernels.h"

namespace dragoman {

namespace baseline {
extern const lm::LmKernels lm_table;
}
#ifdef DRAGOMAN_X86_KERNELS
namespace avx2 {
extern const lm::LmKernels lm_table;
}
namespace avx512 {
extern const lm::LmKernels lm_table;
}
#endif

namespace lm {

const LmKernels& lm_kernels(KernelLevel level) {
#ifdef DRAGOMAN_X86_KERNELS
  return *dragoman::select(level, &baseline::lm_table, &avx2::lm_table, &avx512::lm_table);
#else
  return *dragoman::select<const LmKernels>(level, &baseline::lm_table, nullptr, nullptr);
#endif
}

const LmKernels& lm_kernels() {
  static const LmKernels& chosen = lm_kernels(best_kernel_level());
  return chosen;
}

}  // namespace lm
}  // namespace dragoman
