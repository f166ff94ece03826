#include "base/kernel_choice.h"

#include "align/kernels.h"

namespace dragoman::align {

DRAGOMAN_CHOOSE_KERNELS(AlignKernels, align_table, align_kernels)

}  // namespace dragoman::align
