// Spans of a text's bytes as spans of its characters, which is what Python counts.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/utf8.h"

namespace dragoman {

// The spans lie in order and apart; the text is well-formed UTF-8. One pass over the text.
inline std::vector<TextSpan> in_characters(std::string_view text, std::span<const TextSpan> spans) {
  std::vector<TextSpan> character_spans;
  character_spans.reserve(spans.size());
  uint64_t at = 0, characters = 0;
  auto count_to = [&](uint64_t byte) {
    for (; at < byte; ++at) characters += begins_character(text[at]);
    return characters;
  };
  for (const TextSpan& span : spans) {
    const uint64_t begin = count_to(span.begin);
    character_spans.push_back({begin, count_to(span.end)});
  }
  return character_spans;
}

}  // namespace dragoman
