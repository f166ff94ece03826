#include "text/brackets.h"

namespace dragoman::text {
namespace {

bool opens_bracket(std::string_view word) { return word == "(" || word == "（"; }
bool closes_bracket(std::string_view word) { return word == ")" || word == "）"; }

}  // namespace

bool is_bracket(std::string_view word) { return opens_bracket(word) || closes_bracket(word); }

std::vector<Span> find_brackets(std::span<const std::string_view> words) {
  std::vector<Span> brackets;
  std::vector<uint32_t> open;
  for (uint32_t at = 0; at < words.size(); ++at) {
    if (opens_bracket(words[at])) open.push_back(at);
    if (!closes_bracket(words[at]) || open.empty()) continue;
    brackets.push_back({open.back(), at + 1});
    open.pop_back();
  }
  return brackets;
}

}  // namespace dragoman::text
