// Learns a CaseModel from written text and, where there is one, its source (perceptron.h). Words are read from left to
// right with the true case of the word before; what the place or the source decides anyway is passed over. A few passes
// over the text or a sample of it, each about a microsecond a word.
#pragma once

#include "base/monitor.h"
#include "base/namespaces.h"
#include "text/case_context.h"
#include "text/case_model.h"
#include "text/id_text.h"
#include "text/stored_links.h"

namespace dragoman::text {

// A text as it was written, and its source with the links between them. Without a source the text alone teaches.
struct CaseText {
  const IdText& target;
  const IdText* source = nullptr;
  const StoredLinks* links = nullptr;
  const Casing* source_casing = nullptr;
};

// Throws InputError if links point outside their sentences.
CaseModel learn_case_model(const Casing& casing, const CaseText& text, Monitor& monitor);

}  // namespace dragoman::text
