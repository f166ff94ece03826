// The text of some shards of a sweep as a message: all that whoever works on them elsewhere needs of the text.
#pragma once

#include <cstddef>
#include <vector>

#include "align/bitext.h"
#include "align/sweep.h"
#include "base/container.h"

namespace dragoman::align {

struct ShardText {
  static constexpr std::string_view kind = "alignment-text";

  size_t first = 0;            // number of the first shard
  Bitext bitext;               // the visited pairs; its vocabularies are empty
  std::vector<size_t> begins;  // of every shard, and the end

  // Shards [first, last) of a sweep over this text.
  static std::vector<std::byte> pack(const Bitext& bitext, const Sweep& sweep, size_t first, size_t last);
  // Throws FormatError for what is no such message, or has words beyond the vocabularies.
  static ShardText parse(const Container& message, size_t source_words, size_t target_words);
};

}  // namespace dragoman::align
