// The values of an enumeration by the names that options, files and reports have for them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/errors.h"

namespace dragoman {

template <class Value>
struct Choice {
  std::string_view name;
  Value value;
};

// The value of that name. Throws ConfigError, which names them all.
template <class Value, size_t count>
Value choose(const Choice<Value> (&choices)[count], std::string_view option, std::string_view name) {
  std::string known;
  for (size_t i = 0; i < count; ++i) {
    if (choices[i].name == name) return choices[i].value;
    if (i > 0) known += i + 1 < count ? ", " : " or ";
    known += choices[i].name;
  }
  throw ConfigError(std::string(option), "'" + std::string(name) + "' is unknown; choose " + known);
}

template <class Value, size_t count>
std::string_view chosen_name(const Choice<Value> (&choices)[count], Value value) {
  for (const Choice<Value>& choice : choices)
    if (choice.value == value) return choice.name;
  return "?";
}

}  // namespace dragoman
