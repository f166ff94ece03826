#include "base/inflate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace dragoman {
namespace {

constexpr uint32_t longest_code = 15;
constexpr uint32_t fast_bits = 10;
constexpr uint32_t no_symbol = UINT32_MAX;

class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> in) : in_(in) {}

  // The next bits, zeros after the end; `take` sees to it that those are never used.
  uint32_t peek(uint32_t count) {
    while (held_ < count) {
      const uint64_t next = at_ < in_.size() ? static_cast<uint64_t>(in_[at_]) : 0;
      ++at_;
      bits_ |= next << held_;
      held_ += 8;
    }
    return static_cast<uint32_t>(bits_ & ((uint64_t{1} << count) - 1));
  }
  bool skip(uint32_t count) {
    bits_ >>= count;
    held_ -= count;
    return at_ <= in_.size() || (at_ - in_.size()) * 8 <= held_;
  }
  bool take(uint32_t count, uint32_t& value) {
    value = peek(count);
    return skip(count);
  }
  void align() {
    bits_ >>= held_ % 8;
    held_ -= held_ % 8;
  }
  bool copy(std::span<std::byte> out) {
    for (std::byte& byte : out) {
      uint32_t value;
      if (!take(8, value)) return false;
      byte = static_cast<std::byte>(value);
    }
    return true;
  }

 private:
  std::span<const std::byte> in_;
  size_t at_ = 0;
  uint64_t bits_ = 0;
  uint32_t held_ = 0;
};

// Canonical Huffman codes: a table over the first bits, and the counts of each length for longer codes.
class Codes {
 public:
  // False where more codes are given than lengths allow. A set with too few is legal for a single distance code, and
  // a code that nothing has is found out when it comes.
  bool build(std::span<const uint8_t> lengths) {
    counts_.fill(0);
    for (uint8_t length : lengths) ++counts_[length];
    counts_[0] = 0;
    int left = 1;
    for (uint32_t length = 1; length <= longest_code; ++length) {
      left = left * 2 - counts_[length];
      if (left < 0) return false;
    }
    std::array<uint16_t, longest_code + 2> offsets{}, codes{};
    for (uint32_t length = 1; length <= longest_code; ++length) {
      offsets[length + 1] = static_cast<uint16_t>(offsets[length] + counts_[length]);
      codes[length + 1] = static_cast<uint16_t>((codes[length] + counts_[length]) << 1);
    }
    fast_.fill(0);
    for (uint32_t symbol = 0; symbol < lengths.size(); ++symbol) {
      const uint32_t length = lengths[symbol];
      if (length == 0) continue;
      symbols_[offsets[length]++] = static_cast<uint16_t>(symbol);
      const uint32_t code = codes[length]++;
      if (length > fast_bits) continue;
      uint32_t reversed = 0;
      for (uint32_t bit = 0; bit < length; ++bit) reversed |= (code >> bit & 1) << (length - 1 - bit);
      for (uint32_t at = reversed; at < fast_.size(); at += 1u << length)
        fast_[at] = static_cast<uint16_t>(symbol << 4 | length);
    }
    return true;
  }

  uint32_t decode(BitReader& in) const {
    const uint32_t bits = in.peek(longest_code);
    if (const uint16_t entry = fast_[bits & (fast_.size() - 1)]) return in.skip(entry & 15) ? entry >> 4 : no_symbol;
    uint32_t code = 0, first = 0, index = 0;
    for (uint32_t length = 1; length <= longest_code; ++length) {
      code |= bits >> (length - 1) & 1;
      const uint32_t count = counts_[length];
      if (code - first < count) return in.skip(length) ? symbols_[index + code - first] : no_symbol;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return no_symbol;
  }

 private:
  std::array<uint16_t, longest_code + 1> counts_;
  std::array<uint16_t, 288> symbols_;
  std::array<uint16_t, 1u << fast_bits> fast_;  // symbol << 4 | length, 0 where the code is longer or nobody's
};

constexpr std::array<uint16_t, 29> length_base{3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                               31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<uint8_t, 29> length_bits{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                              2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<uint16_t, 30> distance_base{1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                 33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::array<uint8_t, 30> distance_bits{0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                                6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
constexpr std::array<uint8_t, 19> code_order{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

bool read_codes(BitReader& in, Codes& literals, Codes& distances) {
  uint32_t literal_count, distance_count, code_count;
  if (!in.take(5, literal_count) || !in.take(5, distance_count) || !in.take(4, code_count)) return false;
  literal_count += 257;
  distance_count += 1;
  code_count += 4;
  if (literal_count > 286 || distance_count > 30) return false;
  std::array<uint8_t, 19> code_lengths{};
  for (uint32_t i = 0; i < code_count; ++i) {
    uint32_t length;
    if (!in.take(3, length)) return false;
    code_lengths[code_order[i]] = static_cast<uint8_t>(length);
  }
  Codes codes;
  if (!codes.build(code_lengths)) return false;
  std::array<uint8_t, 286 + 30> lengths{};
  const uint32_t all = literal_count + distance_count;
  for (uint32_t at = 0; at < all;) {
    const uint32_t symbol = codes.decode(in);
    if (symbol == no_symbol) return false;
    if (symbol < 16) {
      lengths[at++] = static_cast<uint8_t>(symbol);
      continue;
    }
    uint8_t value = 0;
    uint32_t repeat;
    if (symbol == 16) {
      if (at == 0 || !in.take(2, repeat)) return false;
      value = lengths[at - 1];
      repeat += 3;
    } else if (symbol == 17) {
      if (!in.take(3, repeat)) return false;
      repeat += 3;
    } else {
      if (!in.take(7, repeat)) return false;
      repeat += 11;
    }
    if (at + repeat > all) return false;
    std::fill_n(lengths.begin() + at, repeat, value);
    at += repeat;
  }
  const std::span<const uint8_t> length_span(lengths);
  return lengths[256] != 0 && literals.build(length_span.first(literal_count)) &&
         distances.build(length_span.subspan(literal_count, distance_count));
}

void fixed_codes(Codes& literals, Codes& distances) {
  std::array<uint8_t, 288> lengths;
  std::fill_n(lengths.begin(), 144, uint8_t{8});
  std::fill_n(lengths.begin() + 144, 112, uint8_t{9});
  std::fill_n(lengths.begin() + 256, 24, uint8_t{7});
  std::fill_n(lengths.begin() + 280, 8, uint8_t{8});
  std::array<uint8_t, 30> five;
  five.fill(5);
  // Both sets are complete or short, never too many: the results are known.
  static_cast<void>(literals.build(lengths));
  static_cast<void>(distances.build(five));
}

bool read_block(BitReader& in, const Codes& literals, const Codes& distances, std::span<std::byte> out, size_t& at) {
  while (true) {
    const uint32_t symbol = literals.decode(in);
    if (symbol < 256) {
      if (at == out.size()) return false;
      out[at++] = static_cast<std::byte>(symbol);
      continue;
    }
    if (symbol == 256) return true;
    if (symbol - 257 >= length_base.size()) return false;
    uint32_t more;
    if (!in.take(length_bits[symbol - 257], more)) return false;
    const size_t length = length_base[symbol - 257] + more;
    const uint32_t place = distances.decode(in);
    if (place >= distance_base.size() || !in.take(distance_bits[place], more)) return false;
    const size_t distance = distance_base[place] + more;
    if (distance > at || length > out.size() - at) return false;
    // Byte by byte where the copy reads what it has just written.
    if (distance >= length)
      std::memcpy(out.data() + at, out.data() + at - distance, length);
    else
      for (size_t i = 0; i < length; ++i) out[at + i] = out[at + i - distance];
    at += length;
  }
}

}  // namespace

bool inflate(std::span<const std::byte> in, std::span<std::byte> out, size_t known) {
  BitReader reader(in);
  size_t at = known;
  uint32_t last = 0;
  Codes literals, distances;
  while (!last) {
    uint32_t kind;
    if (!reader.take(1, last) || !reader.take(2, kind)) return false;
    if (kind == 0) {
      uint32_t size, complement;
      reader.align();
      if (!reader.take(16, size) || !reader.take(16, complement) || (size ^ complement) != 0xffff) return false;
      if (size > out.size() - at || !reader.copy(out.subspan(at, size))) return false;
      at += size;
      continue;
    }
    if (kind == 3) return false;
    if (kind == 1)
      fixed_codes(literals, distances);
    else if (!read_codes(reader, literals, distances))
      return false;
    if (!read_block(reader, literals, distances, out, at)) return false;
  }
  return at == out.size();
}

}  // namespace dragoman
