#include "align/training_options.h"

#include "base/errors.h"

namespace dragoman::align {

void TrainingOptions::check() const {
  if (ibm1_iterations < 2) throw ConfigError("ibm1_iterations", "at least 2 are needed to find the word pairs");
  if (!(min_count >= 0)) throw ConfigError("min_count", "must not be negative");
}

}  // namespace dragoman::align
