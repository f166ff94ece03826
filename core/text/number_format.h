// How languages write numbers: the sign before decimals, and the one between groups of three digits (facts of CLDR).
// Numbers that no rule knows are carried over in the format of the target language; whatever may be something else than
// a number (a date, a version, an address, a telephone number) stays as it is written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace dragoman::text {

// A number of one language as another one writes it: `1 234,5` of French is `1,234.5` in English. Letters after it are
// its unit. Nothing where it would be written the same, where it is no number of that language for certain, or where
// nobody knows what one of the languages writes.
std::optional<std::string> number_in(std::string_view target_language, std::string_view source_language,
                                     std::string_view written);

// Whether it looks like a decimal number and like a version or a section, too: 3.11.
bool may_be_version(std::string_view written);

}  // namespace dragoman::text
