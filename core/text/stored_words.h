// Words as files keep them: strings back to back, and packed offsets where each begins.
#pragma once

#include <string>
#include <string_view>

#include "base/container.h"
#include "base/namespaces.h"
#include "base/packed_array.h"

namespace dragoman::text {

// Throws FormatError unless the offsets divide the strings into words: UTF-8 without blanks, none empty. Whoever gets a
// word of a file may then take it apart without looking. One pass at the speed of memory. The sections are
// `<prefix>.strings` and `<prefix>.offsets`.
void require_words(const Container& container, const std::string& prefix, std::string_view strings,
                   const PackedArray& offsets);

}  // namespace dragoman::text
