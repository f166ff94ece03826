#include "base/number.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>
#include <version>

namespace dragoman {

bool parse_number(std::string_view text, double& value) {
#if defined(__cpp_lib_to_chars)
  double parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  value = parsed;
  return true;
#else
  return parse_number_by_strtod(text, value);
#endif
}

bool parse_number_by_strtod(std::string_view text, double& value) {
  // Letters are those of exponents and of inf, infinity and nan; strtod takes white space and hexadecimal digits too.
  if (text.empty() || text.find_first_not_of("0123456789.-+eEinfatyINFATY") != std::string_view::npos) return false;
  if (text.front() == '+') return false;
  const std::string ended(text);
  char* end = nullptr;
  errno = 0;
  const double parsed = std::strtod(ended.c_str(), &end);
  if (errno == ERANGE || end != ended.c_str() + ended.size()) return false;
  value = parsed;
  return true;
}

}  // namespace dragoman
