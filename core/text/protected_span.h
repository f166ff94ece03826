// Spans that must come through translation untouched and are therefore one token each: tags, entities, placeholders of
// the usual format languages, variables, long options, URLs and e-mail addresses. Each recognizer looks at a bounded
// stretch (addresses: at what it then consumes), so a line costs linear time.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/namespaces.h"

namespace dragoman::text {

// The end of the protected span that begins with the sign at line[at] (one of < & { % $ [ - #), or `at` if none does.
// An elision language reads %d' as a percent sign before d'.
size_t protected_sign_end(std::string_view line, size_t at, bool elisions);

// The end of the URL (scheme://... or www....) or e-mail address that begins with the letter or digit at line[at],
// or `at`.
size_t address_end(std::string_view line, size_t at);

// Whether a line can hold an address at all; one look per line instead of one per word.
bool may_hold_address(std::string_view line);

}  // namespace dragoman::text
