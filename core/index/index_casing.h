// Puts the written forms of words beside the words: vocab.bin gets the sections `source.case.*` and `target.case.*`,
// from which the decoder writes its output (text/casing.h). Apart from building the index, because an index may also
// be made of tokens whose written forms nobody knows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "text/casing.h"

namespace dragoman::index {

// The other side of a text whose case is learned: its lines as written tokens, and the links of each as Pharaoh pairs.
// Where it is empty, the text alone teaches.
struct WrittenSource {
  std::string_view text;
  std::string_view links;
};

// Learns the case of a text from itself and its source; `casing` holds the forms and gets the model. Throws InputError
// if the line counts differ or links point outside their sentences.
void learn_case(Casing& casing, std::string_view written, const WrittenSource& source, const Casing* source_casing,
                Monitor& monitor);

// `side` is source or target; `written` holds the lines of that side as tokens in the case they were written in. The
// target's case is learned with the source's, whose forms should be there first. The file is replaced whole; forms that
// this side had before are replaced too.
void add_casing(const std::string& vocabulary_path, const std::string& side, std::string_view written,
                const WrittenSource& source, std::string_view language, size_t threads, Monitor& monitor);

}  // namespace dragoman::index
