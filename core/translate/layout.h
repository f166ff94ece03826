// What of a line is layout and no text: what stands before the items of a list, and the blanks between columns. It
// stays as it is, and what stands beside it is translated apart from it. And sentences that nobody put a space between.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "search/rule_source.h"
#include "translate/text_tools.h"

namespace dragoman::translate {

// The sentences of a text without layout, in order and apart; a sentence that the rules know as it stands is left as it
// is. Nothing is cut inside of what is fixed.
std::vector<TextSpan> without_layout(const TextTools& tools, const RuleSource& known, std::string_view text,
                                     std::span<const TextSpan> sentences, std::span<const TextSpan> fixed);

}  // namespace dragoman::translate
