// Unicode normalisation of text before anything else sees it. Every change is counted by kind, so nothing is lost
// silently; text without any of it is returned as it came. Line feeds are never added or taken, so parallel texts stay
// parallel.
//
//   composed             normalization form C (canonical equivalence only: ﬁ, ² and full-width letters stay)
//   windows_1252         C1 controls that are mis-decoded Windows-1252 (’ “ ” … – €) become what was meant
//   controls             other control characters, removed; white-space controls but tab and line feed become a space
//   line_ends            carriage returns before a line feed removed, others and U+2028, U+2029 become a space
//   byte_order_marks     U+FEFF removed
//   zero_width_spaces    U+200B removed, except inside Thai, Lao, Khmer and Myanmar, where it separates words
//   soft_hyphens         U+00AD removed: where a word may be hyphenated is no part of the text
//   word_joiners         U+2060 to U+2064 removed
//   noncharacters        U+FFFE and the like removed
//   replacements         U+FFFD, kept: something was lost before the text came here
// Kept: zero-width joiner and non-joiner (Persian, Indic scripts, emoji), direction marks, variation selectors,
// private use characters, no-break and other spaces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace dragoman::text {

struct NormaliseReport {
  uint64_t composed = 0;
  uint64_t windows_1252 = 0;
  uint64_t controls = 0;
  uint64_t line_ends = 0;
  uint64_t byte_order_marks = 0;
  uint64_t zero_width_spaces = 0;
  uint64_t soft_hyphens = 0;
  uint64_t word_joiners = 0;
  uint64_t noncharacters = 0;
  uint64_t replacements = 0;
};

// Normalises well-formed UTF-8 of any number of lines; adds to the report.
std::string normalise(std::string_view text, NormaliseReport& report);

}  // namespace dragoman::text
