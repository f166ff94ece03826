#include "extract/front_text.h"

#include <algorithm>

namespace dragoman {

FrontText::FrontText(const PackedArray& text, uint64_t size) : words_(size + padding, Vocabulary::separator) {
  for (uint64_t i = 0; i < size; ++i) words_[i] = static_cast<uint8_t>(std::min<uint64_t>(text[i], rare));
}

}  // namespace dragoman
