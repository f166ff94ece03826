// Word links: which source word stands for which target word. A sentence pair's links are kept sorted by source, then
// target, in a code of about one byte each: a byte holds how far the source position moved (2 bits) and how far the
// target position moved from the link before (6 bits, zigzag). A move of 3 or of 63 stands for "read it from the bytes
// that follow", seven bits at a time.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/varint.h"

namespace dragoman {

struct Link {
  uint32_t source;
  uint32_t target;
  friend auto operator<=>(const Link&, const Link&) = default;
};

using Links = std::vector<Link>;

inline constexpr uint32_t far_source = 3;
inline constexpr uint32_t far_target = 63;

// Sorts the links, drops repeated ones and appends their code.
void encode_links(Links& links, Array<uint8_t>& code);

// Calls visit(source, target) for every link in order; false if the code is damaged or a position is not below the
// given lengths.
template <class Visit>
bool decode_links(std::span<const uint8_t> code, uint32_t source_length, uint32_t target_length, Visit&& visit) {
  VarintReader bytes(code);
  uint64_t source = 0;  // wider than a move, so that it rises whatever the code says
  uint32_t target = 0;
  while (!bytes.done()) {
    const uint32_t byte = bytes.byte();
    uint32_t source_move = byte & 3, target_move = byte >> 2;
    if (source_move == far_source && !bytes.read(source_move)) return false;
    if (target_move == far_target && !bytes.read(target_move)) return false;
    source += source_move;
    target += target_move >> 1 ^ -(target_move & 1);
    if (source >= source_length || target >= target_length) return false;
    visit(static_cast<uint32_t>(source), target);
  }
  return true;
}

// The links of many pairs, each in its code.
class LinkTable {
 public:
  explicit LinkTable(ArrayMemory* memory = array_memory()) : begins_(1, 0, memory), code_(memory) {}

  size_t size() const { return begins_.size() - 1; }
  void add(Links& links) { encode_links(links, code_), begins_.push_back(code_.size()); }
  // Replaces what `links` holds.
  void read(size_t pair, Links& links) const;
  std::span<const uint8_t> code(size_t pair) const {
    return std::span(code_).subspan(begins_[pair], begins_[pair + 1] - begins_[pair]);
  }
  void append(const LinkTable& other, size_t pair);

 private:
  Array<uint64_t> begins_;
  Array<uint8_t> code_;
};

}  // namespace dragoman
