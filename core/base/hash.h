// XXH64, the 64-bit hash by Yann Collet, over little-endian bytes: several GB/s, used for the integrity of sections,
// for sampling and for splitting a corpus by content. The same value on every platform; not cryptographic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dragoman {

uint64_t hash_bytes(const void* data, size_t size, uint64_t seed = 0);

inline uint64_t hash_bytes(std::string_view text, uint64_t seed = 0) {
  return hash_bytes(text.data(), text.size(), seed);
}

// For maps by string that are asked with views.
struct StringHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return static_cast<size_t>(hash_bytes(text)); }
};

// A strong mix of one word (the finaliser of splitmix64), for hashing ids and positions.
inline uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace dragoman
