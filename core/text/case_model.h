// Whether a word is written small, with a first capital or all in capitals, from what is around it: a linear model over
// hashed features (case_features.h), learned from the written text (case_trainer.h). The usual case of the word has a
// head start.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/namespaces.h"
#include "text/linear_model.h"

namespace dragoman::text {

enum class WordCase : uint8_t { small, capital, upper };

using CaseModel = LinearModel<3>;

constexpr size_t index_of(WordCase which) { return static_cast<size_t>(which); }

}  // namespace dragoman::text
