// Text files as views: lines of a buffer, and space-separated words of a line. A last line without a newline counts;
// a carriage return before the newline belongs to the line end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/namespaces.h"

namespace dragoman::text {

std::vector<std::string_view> split_lines(std::string_view text);

// Calls visit(word) for every run of bytes between ASCII white space.
template <class Visit>
void for_each_word(std::string_view line, Visit&& visit) {
  auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; };
  for (size_t at = 0; at < line.size();) {
    if (blank(line[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < line.size() && !blank(line[end])) ++end;
    visit(line.substr(at, end - at));
    at = end;
  }
}

using Tokens = std::span<const std::string_view>;

size_t count_words(std::string_view line);
std::vector<std::string_view> words_of(std::string_view line);

// Throw InputError unless the sides of a bitext, and its links, have as many lines as each other.
void require_equal_lines(uint64_t source, uint64_t target);
void require_equal_lines(uint64_t source, uint64_t target, uint64_t links);

}  // namespace dragoman::text
