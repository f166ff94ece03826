#include "extract/front_text.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace dragoman {

FrontText::FrontText(const PackedArray& text, uint64_t size) : words_(size + padding, Vocabulary::separator) {
  for (uint64_t i = 0; i < size; ++i) words_[i] = static_cast<uint8_t>(std::min<uint64_t>(text[i], rare));
}

void FrontText::find(uint8_t word, uint64_t begin, uint64_t end, std::vector<uint64_t>& positions) const {
#if defined(__SSE2__)
  // A call of memchr for each would cost more than what it finds is worth. Reads into the padding.
  static_assert(padding >= 64);
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(word));
  const auto sixteen = [&](uint64_t at) {
    const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words_.data() + at));
    return uint64_t{static_cast<uint16_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(words, wanted)))};
  };
  for (uint64_t at = begin; at < end; at += 64) {
    uint64_t found = sixteen(at) | sixteen(at + 16) << 16 | sixteen(at + 32) << 32 | sixteen(at + 48) << 48;
    if (end - at < 64) found &= (uint64_t{1} << (end - at)) - 1;
    for (; found != 0; found &= found - 1) positions.push_back(at + static_cast<uint64_t>(std::countr_zero(found)));
  }
#else
  const uint8_t *at = words_.data() + begin, *last = words_.data() + end;
  while ((at = static_cast<const uint8_t*>(std::memchr(at, word, static_cast<size_t>(last - at)))))
    positions.push_back(static_cast<uint64_t>(at++ - words_.data()));
#endif
}

}  // namespace dragoman
