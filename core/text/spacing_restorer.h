// Spaces the words of an output: the language's habits, corrected by what the training text and the source show.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "text/spacing_context.h"
#include "text/spacing_model.h"
#include "text/token_text.h"

namespace dragoman::text {

// The marks before and after each piece with which a tokenizer of the language joins them as wanted.
std::vector<std::pair<Mark, Mark>> spacing_marks(const Spacing& rules, const SpacingModel& model,
                                                 const SpacingContext& context);

}  // namespace dragoman::text
