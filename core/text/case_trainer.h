// Learns a CaseModel from written text and, where there is one, its source (perceptron.h). Words are read from left to
// right with the true case of the word before; what the place or the source decides anyway is passed over. About a
// microsecond a word in each pass.
#pragma once

#include "base/monitor.h"
#include "base/namespaces.h"
#include "text/case_context.h"
#include "text/case_model.h"
#include "text/linked_text.h"

namespace dragoman::text {

// The source's casing may be missing.
CaseModel learn_case_model(const Casing& casing, LinkedText&& text, const Casing* source_casing, Monitor& monitor);

}  // namespace dragoman::text
