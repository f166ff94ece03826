#include "base/kernel_choice.h"

#include "lm/kernels.h"

namespace dragoman::lm {

DRAGOMAN_CHOOSE_KERNELS(LmKernels, lm_table, lm_kernels)

}  // namespace dragoman::lm
