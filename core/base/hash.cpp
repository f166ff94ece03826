#include "base/hash.h"

#include <bit>
#include <cstring>

namespace dragoman {
namespace {

constexpr uint64_t prime1 = 0x9e3779b185ebca87ull;
constexpr uint64_t prime2 = 0xc2b2ae3d27d4eb4full;
constexpr uint64_t prime3 = 0x165667b19e3779f9ull;
constexpr uint64_t prime4 = 0x85ebca77c2b2ae63ull;
constexpr uint64_t prime5 = 0x27d4eb2f165667c5ull;

template <class Word>
Word load(const unsigned char* p) {
  Word word;
  std::memcpy(&word, p, sizeof(Word));
  if constexpr (std::endian::native == std::endian::big) {
    Word swapped = 0;
    for (size_t i = 0; i < sizeof(Word); ++i) swapped = static_cast<Word>(swapped << 8 | (word >> (8 * i) & 0xff));
    return swapped;
  }
  return word;
}

uint64_t round(uint64_t lane, uint64_t word) { return std::rotl(lane + word * prime2, 31) * prime1; }

}  // namespace

uint64_t hash_bytes(const void* data, size_t size, uint64_t seed) {
  const auto* p = static_cast<const unsigned char*>(data);
  const unsigned char* const end = p + size;
  uint64_t hash;
  if (size >= 32) {
    uint64_t lanes[4] = {seed + prime1 + prime2, seed + prime2, seed, seed - prime1};
    for (; end - p >= 32; p += 32) {
      for (int i = 0; i < 4; ++i) lanes[i] = round(lanes[i], load<uint64_t>(p + 8 * i));
    }
    hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (uint64_t lane : lanes) hash = (hash ^ round(0, lane)) * prime1 + prime4;
  } else {
    hash = seed + prime5;
  }
  hash += size;
  for (; end - p >= 8; p += 8) hash = std::rotl(hash ^ round(0, load<uint64_t>(p)), 27) * prime1 + prime4;
  if (end - p >= 4) {
    hash = std::rotl(hash ^ load<uint32_t>(p) * prime1, 23) * prime2 + prime3;
    p += 4;
  }
  for (; p != end; ++p) hash = std::rotl(hash ^ *p * prime5, 11) * prime1;
  hash = (hash ^ hash >> 33) * prime2;
  hash = (hash ^ hash >> 29) * prime3;
  return hash ^ hash >> 32;
}

}  // namespace dragoman
