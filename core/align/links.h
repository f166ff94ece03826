// Links between the words of a sentence pair, and the Pharaoh format `i-j i-j ...` (source-target, from 0).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::align {

struct Link {
  uint16_t source;
  uint16_t target;
  auto operator<=>(const Link&) const = default;
};

using Links = std::vector<Link>;

// Links of many pairs in one array: pair n has [begins[n], begins[n + 1]), ascending by source, then target.
struct LinkTable {
  std::vector<uint64_t> begins{0};
  Links links;
};

void append_pharaoh(std::string& out, const Link* begin, const Link* end);
// Throws InputError that names the line.
Links parse_pharaoh(std::string_view line, uint64_t line_number);

}  // namespace dragoman::align
