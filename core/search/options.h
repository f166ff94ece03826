// What bounds a search. Names and defaults are those of DecodeOptions in config.py.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/namespaces.h"

namespace dragoman::search {

struct DecodeOptions {
  // Hypotheses taken from the cube of a cell or a stack.
  uint32_t pop_limit = 100;
  // Longest span of rules other than glue, in source words; 0 for no limit.
  uint32_t max_span = 10;
  // Rules kept of each source side, best first; 0 keeps all.
  uint32_t rules_per_side = 30;
  // Phrase-based: how far a phrase may begin from the end of the one before it.
  uint32_t distortion_limit = 6;
  // Phrase-based: hypotheses kept in a stack, and how far below the best one may be (in score; 0 for no limit).
  uint32_t stack_size = 200;
  double stack_threshold = 0;
  // Memory for one sentence; the search narrows so as to stay within.
  size_t scratch_bytes = size_t{64} << 20;
  // Translations that a judge reads, where there is one; none leaves it out.
  uint32_t judged = 100;
  // After so long the search hurries to an end with what it has; 0 for no limit.
  double max_seconds = 0;
};

// Throws ConfigError.
void validate(const DecodeOptions& options);

}  // namespace dragoman::search
