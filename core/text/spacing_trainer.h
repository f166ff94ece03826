// Learns a SpacingModel from written text and its source (perceptron.h): tokens are read from left to right, with the
// true spaces between those before. A few passes over the text or a sample of it.
#pragma once

#include "base/monitor.h"
#include "base/namespaces.h"
#include "text/id_text.h"
#include "text/spacing.h"
#include "text/spacing_model.h"
#include "text/stored_links.h"

namespace dragoman::text {

// A text as it was written, and its source with the links between them. Without a source the text alone teaches.
struct SpacedText {
  const IdText& target;
  const Spacing& target_rules;
  const IdText* source = nullptr;
  const StoredLinks* links = nullptr;
  const Spacing* source_rules = nullptr;
};

// Throws InputError if links point outside their sentences.
SpacingModel learn_spacing_model(const SpacedText& text, Monitor& monitor);

}  // namespace dragoman::text
