// Learns a SpacingModel from written text and, where there is one, its source (perceptron.h): tokens are read from left
// to right, with the true spaces between those before. A text that was written apart by a program teaches nothing, and
// the habits of the language hold. About a microsecond a word in each pass.
#pragma once

#include "base/monitor.h"
#include "base/namespaces.h"
#include "text/linked_text.h"
#include "text/spacing.h"
#include "text/spacing_model.h"

namespace dragoman::text {

SpacingModel learn_spacing_model(LinkedText&& text, const Spacing& target_rules, const Spacing& source_rules,
                                 Monitor& monitor);

}  // namespace dragoman::text
