// What speaks for the case of a word, as hashes for the buckets of a CaseModel: the word with its neighbours, its
// usual case, the case of the source words linked to it and to its neighbours, its place, whether the line is a
// sentence or a heading, and the case of the word before. Monolingual capitalizers use the neighbours (Chelba and
// Acero 2004), that of Wang, Knight and Marcu (2006) the source as well.
#pragma once

#include <cstdint>
#include <optional>

#include "base/namespaces.h"
#include "text/case_context.h"

namespace dragoman::text {

inline constexpr size_t case_feature_count = 14;
using CaseFeatures = HashedFeatures<case_feature_count>;

// `before` is the case of the word before, none if it has no letters or there is none.
CaseFeatures case_features(const CaseContext& context, size_t position, std::optional<WordCase> before);

}  // namespace dragoman::text
