// Decimal numbers from text, with a point whatever the locale.
#pragma once

#include <charconv>
#include <concepts>
#include <string_view>
#include <system_error>

namespace dragoman {

// Whether all of the text is a number: digits, which may have a minus, a point and an exponent, or inf or nan. The
// value stays as it was where it is not.
bool parse_number(std::string_view text, double& value);

// The same for compilers whose library reads whole numbers only.
bool parse_number_by_strtod(std::string_view text, double& value);

// The same for digits alone, of a number that the type can hold.
template <std::unsigned_integral Whole>
bool parse_whole(std::string_view text, Whole& value) {
  Whole parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  value = parsed;
  return true;
}

}  // namespace dragoman
