// The fixed records of lm.bin. Sections: header, words.* (strings), unigrams, parts, and per level k (0-based, so L1
// are the bigrams) Lk.probs, Lk.backoffs, and per part i Lk.i.records, Lk.i.tops, Lk.i.lines, Lk.i.samples, Lk.i.lows;
// class.* where the model is over word classes.
#pragma once

#include <cstdint>
#include <string>

#include "lm/model_view.h"

namespace dragoman::lm {

inline constexpr uint32_t format_version = 1;

struct Header {
  uint32_t version;
  uint32_t order;
  uint32_t words;  // ids, reserved ones included
  uint32_t prob_bits;
  uint32_t backoff_bits;
  uint32_t has_classes;
  uint32_t bigram_child_bits;  // 0 unless bigrams point to their children
  uint32_t reserved[9];
};
static_assert(sizeof(Header) == 64);

struct PartRecord {
  uint32_t level;
  uint32_t label_bits;
  uint64_t count;
  uint32_t low_bits;
  uint32_t sample_shift;
};
static_assert(sizeof(PartRecord) == 24);

inline constexpr uint64_t sizeof_container_header = 64;

inline std::string level_name(size_t level) { return "L" + std::to_string(level) + "."; }

}  // namespace dragoman::lm
