// Learns a CaseModel from written text and, where there is one, its source: the averaged perceptron (Collins 2002;
// Freund and Schapire 1999). Words are read from left to right with the true case of the word before; where the best
// case by the weights is not the one that was written, the weights move by one. What the place or the source decides
// anyway is passed over. All numbers are integers, so the same text gives the same bytes everywhere. A few passes over
// the text or a sample of it, each about a microsecond a word.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "text/case_context.h"
#include "text/case_model.h"

namespace dragoman::text {

// Lines of tokens as written. Without a source the target text alone teaches.
struct CaseText {
  const std::vector<std::string_view>& target;
  const std::vector<std::string_view>* source = nullptr;
  const Casing* source_casing = nullptr;
  // Puts the links of a line into the empty vector.
  std::function<void(size_t line, Links& links)> links;
};

CaseModel learn_case_model(const Casing& casing, const CaseText& text, Monitor& monitor);

}  // namespace dragoman::text
