#include "base/kernel_choice.h"

#include "base/kernels.h"

namespace dragoman {

DRAGOMAN_CHOOSE_KERNELS(BaseKernels, base_table, base_kernels)

}  // namespace dragoman
