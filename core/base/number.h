// Decimal numbers from text, with a point whatever the locale.
#pragma once

#include <string_view>

namespace dragoman {

// Whether all of the text is a number: digits, which may have a minus, a point and an exponent, or inf or nan. The
// value stays as it was where it is not.
bool parse_number(std::string_view text, double& value);

// The same for compilers whose library reads whole numbers only.
bool parse_number_by_strtod(std::string_view text, double& value);

}  // namespace dragoman
