// Two documents that are translations of each other, as the search for their sentence pairs sees them.
#pragma once

#include <cstdint>
#include <vector>

#include "align/bitext.h"

namespace dragoman::align {

struct DocumentSide {
  Side text;
  std::vector<uint32_t> characters;  // of each sentence
  std::vector<uint8_t> opens;        // 1 where a sentence begins a paragraph

  uint32_t size() const { return static_cast<uint32_t>(text.size()); }
};

struct DocumentPair {
  DocumentSide source;
  DocumentSide target;
};

}  // namespace dragoman::align
