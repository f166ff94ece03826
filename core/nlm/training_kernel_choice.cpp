#include "base/kernel_choice.h"
#include "nlm/training_kernels.h"

namespace dragoman::nlm {

DRAGOMAN_CHOOSE_KERNELS(TrainingKernels, training_table, training_kernels)

}  // namespace dragoman::nlm
