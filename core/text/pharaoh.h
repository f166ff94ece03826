// Word links as text, `i-j i-j ...`: source and target position, from 0.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/link.h"
#include "base/namespaces.h"

namespace dragoman::text {

// No sentence that is aligned or indexed has more words.
inline constexpr uint32_t most_linked_words = 65535;

void append_pharaoh(std::string& out, std::span<const Link> links);

// Reads the links of a pair of so many words (or symbols) into `links`, replacing what it holds. Throws InputError
// that names the line by `line_number` (0: none).
void parse_pharaoh(std::string_view line, uint64_t line_number, Links& links, size_t source_length = most_linked_words,
                   size_t target_length = most_linked_words);

}  // namespace dragoman::text
