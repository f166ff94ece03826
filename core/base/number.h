// Decimal numbers from text, with a point whatever the locale.
#pragma once

#include <string_view>

namespace dragoman {

// Whether all of the text is a number: digits with a sign, a point and an exponent as may be, inf or nan. No + before
// it.
bool parse_number(std::string_view text, double& value);

// The same for compilers whose library reads whole numbers only.
bool parse_number_by_strtod(std::string_view text, double& value);

}  // namespace dragoman
