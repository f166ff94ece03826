// The rules of a source phrase, as the phrase-based search chooses among them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "search/scored_rule.h"

namespace dragoman::search {

struct PhraseOption {
  uint32_t end;
  std::span<const ScoredRule* const> rules;
};

// By the word they begin with.
using PhraseOptions = std::vector<std::vector<PhraseOption>>;

}  // namespace dragoman::search
