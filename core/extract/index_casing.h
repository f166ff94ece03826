// Puts the written forms of words beside the words: vocab.bin gets the sections `source.case.*` and `target.case.*`,
// from which the decoder writes its output (corpus/casing.h). Apart from building the index, because an index may also
// be made of tokens whose written forms nobody knows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/monitor.h"

namespace dragoman {

// `side` is source or target; `written` holds the lines of that side as tokens in the case they were written in. The
// file is replaced whole; forms that this side had before are replaced too.
void add_casing(const std::string& vocabulary_path, const std::string& side, std::string_view written,
                std::string_view language, size_t threads, Monitor& monitor);

}  // namespace dragoman
