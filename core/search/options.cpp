#include "search/options.h"

#include <cmath>

#include "base/errors.h"
#include "search/coverage.h"

namespace dragoman::search {

void validate(const DecodeOptions& options) {
  if (options.pop_limit == 0) throw ConfigError("pop_limit", "must be at least 1");
  if (options.stack_size == 0) throw ConfigError("stack_size", "must be at least 1");
  if (options.distortion_limit > Coverage::max_distortion)
    throw ConfigError("distortion_limit", "must be at most " + std::to_string(Coverage::max_distortion));
  if (!std::isfinite(options.stack_threshold) || options.stack_threshold < 0)
    throw ConfigError("stack_threshold", "must be 0 or a positive number");
  if (options.scratch_bytes < size_t{1} << 20) throw ConfigError("scratch_bytes", "must be at least 1 MB");
  if (!std::isfinite(options.max_seconds) || options.max_seconds < 0)
    throw ConfigError("max_seconds", "must be 0 or a positive number");
}

}  // namespace dragoman::search
