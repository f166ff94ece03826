// The words BLEU counts: the 13a tokenization of the NIST evaluations, as sacreBLEU does it, so that what is tuned is
// what is reported. Linear in the text; only ASCII signs are taken apart, so it works on bytes of UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"

namespace dragoman::evaluate {

// Hashes of the words of a line, lowercased or as they are.
std::vector<uint64_t> bleu_words(std::string_view line, bool lowercase);

// The same as text, words separated by single spaces.
std::string bleu_text(std::string_view line, bool lowercase);

}  // namespace dragoman::evaluate
