// Writes a model as ARPA text, the format of SRILM, KenLM and others, with floats short and exact.
// Words of the text that are called like marks are written as marks.h says.
#pragma once

#include <functional>
#include <string_view>

#include "base/monitor.h"
#include "lm/ngram_trie.h"

namespace dragoman::lm {

// Hands the text to `sink` in pieces of about a megabyte.
void write_arpa(const NgramTrie& trie, const std::function<void(std::string_view)>& sink, Monitor& monitor);

}  // namespace dragoman::lm
