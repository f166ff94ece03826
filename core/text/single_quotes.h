// Single quotation marks, as in 'file', ‘word’ and `name': the signs are apostrophes too, so it is the spaces around
// them that say which of them quote. Where a program has put spaces between all tokens nothing does.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"
#include "text/token.h"

namespace dragoman::text {

bool is_single_mark(std::string_view word);

// From each single mark of a line that opens to after the one that closes it, in order and apart.
std::vector<Span> find_single_quotes(std::string_view line, std::span<const Token> tokens);

}  // namespace dragoman::text
