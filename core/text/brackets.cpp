#include "text/brackets.h"

#include <algorithm>
#include <iterator>

namespace dragoman::text {
namespace {

struct Kind {
  std::string_view opening, closing;
};
constexpr Kind kinds[] = {{"(", ")"}, {"[", "]"}, {"{", "}"}, {"（", "）"}, {"【", "】"}};

// The kind of which a word is one side, or the end.
const Kind* kind_of(std::string_view word, std::string_view Kind::* side) {
  return std::ranges::find(kinds, word, side);
}

}  // namespace

bool is_bracket(std::string_view word) {
  return kind_of(word, &Kind::opening) != std::end(kinds) || kind_of(word, &Kind::closing) != std::end(kinds);
}

std::vector<Span> find_brackets(std::span<const std::string_view> words) {
  struct Open {
    const Kind* kind;
    uint32_t at;
  };
  std::vector<Span> brackets;
  std::vector<Open> open;
  uint32_t counts[std::size(kinds)] = {};
  for (uint32_t at = 0; at < words.size(); ++at) {
    if (const Kind* kind = kind_of(words[at], &Kind::opening); kind != std::end(kinds)) {
      open.push_back({kind, at});
      ++counts[kind - kinds];
      continue;
    }
    const Kind* kind = kind_of(words[at], &Kind::closing);
    if (kind == std::end(kinds) || counts[kind - kinds] == 0) continue;
    // What was opened since and never closed stands alone.
    for (const Kind* last = nullptr; last != kind;) {
      last = open.back().kind;
      if (last == kind) brackets.push_back({open.back().at, at + 1});
      open.pop_back();
      --counts[last - kinds];
    }
  }
  return brackets;
}

}  // namespace dragoman::text
