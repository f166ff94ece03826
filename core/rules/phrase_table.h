// A whole phrase table in Moses' format, for interchange and to compare its size with the index: every contiguous
// phrase pair consistent with the links (unlinked words at the edges included), with phrase and lexical probabilities
// in both directions. One pass counts target phrases, a second walks the suffix array phrase by phrase; memory holds a
// count for every distinct target phrase.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "index/index.h"

namespace dragoman::rules {

// Which pairs a table has. Probabilities are those of the whole table, as where it is pruned afterwards.
struct TableLimits {
  uint32_t max_phrase_length = 7;
  // Pairs that were seen less often are left out.
  uint32_t least_count = 1;
  // Of each source phrase the most frequent target phrases, of equally frequent ones those that are rarer elsewhere; 0
  // for all.
  uint32_t most_targets = 0;
};

// Calls write() with pieces of the table, some hundred kilobytes each:
//   source ||| target ||| φ(s|t) lex(s|t) φ(t|s) lex(t|s) ||| links ||| count(t) count(s) count(s,t)
// Returns the number of phrase pairs.
uint64_t write_phrase_table(const Index& index, const TableLimits& limits,
                            const std::function<void(std::string_view)>& write, Monitor& monitor);

}  // namespace dragoman::rules
