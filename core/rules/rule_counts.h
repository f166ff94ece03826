// How much extraction finds and compares: all rules of some sentences are extracted and only counted, so that the ways
// of matching can be compared without the cost of text.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "rules/options.h"
#include "rules/workspace.h"

namespace dragoman::rules {

struct RuleCounts {
  uint64_t sentences = 0;
  uint64_t patterns = 0;  // with matches
  uint64_t matches = 0;   // in samples, each as often as it weighs
  uint64_t rules = 0;
  uint64_t gapped_patterns = 0;  // looked for
  uint64_t comparisons = 0;      // of words, or pairs of matches, to find these
};

// Of tokenized sentences, one after the other.
RuleCounts count_rules(const std::shared_ptr<Workspace>& workspace, const ExtractOptions& options,
                       std::span<const std::string_view> sentences, Monitor& monitor);

}  // namespace dragoman::rules
