// The sample of a pattern in bytes, as caches of patterns keep it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "base/varint.h"
#include "index/match.h"
#include "rules/rule_code.h"
#include "text/vocabulary.h"

namespace dragoman::rules {

// A pattern without gaps has matches whose low 16 bits are 0.
inline uint32_t match_shift(std::span<const WordId> symbols) {
  return std::ranges::count(symbols, WordId{0}) == 0 ? 16 : 0;
}

inline void append_sample(std::vector<uint8_t>& bytes, std::span<const WordId> symbols, std::span<const Match> sample) {
  const uint32_t shift = match_shift(symbols);
  append_varint(bytes, sample.size());
  // A sample of several segments does not rise throughout; differences then wrap around, and back when they are added.
  Match last = 0;
  for (Match match : sample) {
    append_varint(bytes, (match - last) >> shift);
    last = match;
  }
}

inline void take_sample(const uint8_t*& at, std::span<const WordId> symbols, std::vector<Match>& sample) {
  const uint32_t shift = match_shift(symbols);
  sample.resize(take_count(at));
  Match last = 0;
  for (Match& match : sample) match = last += take_varint(at) << shift;
}

inline void skip_sample(const uint8_t*& at) {
  for (uint32_t count = take_count(at); count > 0; --count) take_varint(at);
}

}  // namespace dragoman::rules
