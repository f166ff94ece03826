#include "nlm/kernels.h"

namespace dragoman {

namespace baseline {
extern const nlm::NlmKernels nlm_table;
}
#ifdef DRAGOMAN_X86_KERNELS
namespace avx2 {
extern const nlm::NlmKernels nlm_table;
}
namespace avx512 {
extern const nlm::NlmKernels nlm_table;
}
#endif

namespace nlm {

const NlmKernels& nlm_kernels(KernelLevel level) {
#ifdef DRAGOMAN_X86_KERNELS
  return *dragoman::select(level, &baseline::nlm_table, &avx2::nlm_table, &avx512::nlm_table);
#else
  return *dragoman::select<const NlmKernels>(level, &baseline::nlm_table, nullptr, nullptr);
#endif
}

const NlmKernels& nlm_kernels() {
  static const NlmKernels& chosen = nlm_kernels(best_kernel_level());
  return chosen;
}

}  // namespace nlm
}  // namespace dragoman
