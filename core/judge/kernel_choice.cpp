#include "base/kernel_choice.h"

#include "judge/kernels.h"

namespace dragoman::judge {

DRAGOMAN_CHOOSE_KERNELS(JudgeKernels, judge_table, judge_kernels)

}  // namespace dragoman::judge
