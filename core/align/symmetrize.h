// Two directional alignments made one, as Moses and cdec define it (Koehn 2010, section 4.5; thesis section 2.2).
#pragma once

#include <string_view>

#include "base/link.h"

namespace dragoman::align {

enum class Symmetrization {
  intersection,
  union_,
  grow,
  grow_diag,
  grow_diag_final,
  grow_diag_final_and,
  forward,  // the directional alignments as they are
  inverse,
};

// Throws ConfigError that names the choices.
Symmetrization symmetrization_named(std::string_view name);

// `forward` links every target word to at most one source word, `backward` every source word to at most one target
// word; both as (source, target), in any order. The result ascends.
Links symmetrize(const Links& forward, const Links& backward, size_t source_words, size_t target_words,
                 Symmetrization how);

}  // namespace dragoman::align
