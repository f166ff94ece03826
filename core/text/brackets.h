// Brackets of all kinds: which words are some, and which belong together.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"

namespace dragoman::text {

bool is_bracket(std::string_view word);

// From each bracket that opens to after the one that closes it, the inner ones first; others stand alone.
std::vector<Span> find_brackets(std::span<const std::string_view> words);

}  // namespace dragoman::text
