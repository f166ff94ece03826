#include "base/kernel_choice.h"

#include "nlm/kernels.h"

namespace dragoman::nlm {

DRAGOMAN_CHOOSE_KERNELS(NlmKernels, nlm_table, nlm_kernels)

}  // namespace dragoman::nlm
