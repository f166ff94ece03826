// What a file says, as it may stand in a message: between quotation marks, and not too much of it.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace dragoman {

inline std::string in_quotes(std::string_view text) {
  constexpr size_t most = 60;
  size_t end = text.size() <= most ? text.size() : most;
  // Not in the middle of a character.
  while (end < text.size() && end > 0 && !begins_character(text[end])) --end;
  return "'" + std::string(text.substr(0, end)) + (end < text.size() ? "...'" : "'");
}

}  // namespace dragoman
