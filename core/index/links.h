// The word links of a sentence pair in about one byte each. Links are sorted by source, then target; a byte holds how
// far the source position moved (2 bits) and how far the target position moved from the link before (6 bits, zigzag).
// A move of 3 or of 63 stands for "read it from the bytes that follow", seven bits at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/namespaces.h"

namespace dragoman::index {

struct WordLink {
  uint32_t source;
  uint32_t target;
  friend bool operator==(const WordLink&, const WordLink&) = default;
  friend auto operator<=>(const WordLink&, const WordLink&) = default;
};

inline constexpr uint32_t far_source = 3;
inline constexpr uint32_t far_target = 63;

// Sorts the links, drops repeated ones and appends their code.
void encode_links(std::vector<WordLink>& links, std::vector<uint8_t>& code);

// Reads Pharaoh links, `0-0 1-2`, of a pair of so many words. Throws InputError naming the line by `number` (0: none).
void parse_links(std::string_view line, uint64_t number, size_t source_length, size_t target_length,
                 std::vector<WordLink>& links);

// Calls visit(source, target) for every link in order; false if the code is damaged or a position is not below the
// given lengths.
template <class Visit>
bool decode_links(std::span<const uint8_t> code, uint32_t source_length, uint32_t target_length, Visit&& visit) {
  size_t at = 0;
  uint32_t source = 0, target = 0;
  auto number = [&](uint32_t& value) {
    value = 0;
    for (uint32_t shift = 0; shift < 28 && at < code.size(); shift += 7) {
      const uint32_t byte = code[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return true;
    }
    return false;
  };
  while (at < code.size()) {
    const uint32_t byte = code[at++];
    uint32_t source_move = byte & 3, target_move = byte >> 2;
    if (source_move == far_source && !number(source_move)) return false;
    if (target_move == far_target && !number(target_move)) return false;
    source += source_move;
    target += target_move >> 1 ^ -(target_move & 1);
    if (source >= source_length || target >= target_length) return false;
    visit(source, target);
  }
  return true;
}

}  // namespace dragoman::index
