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
#include "text/linked_text.h"

namespace dragoman::index {

// `side` is source or target; `written` is that side of the text. The target's case is learned with the source's, whose
// forms should be there first. The file is replaced whole; forms that this side had before are replaced too. Throws
// InputError if the line counts differ or links point outside their sentences.
void add_casing(const std::string& vocabulary_path, const std::string& side, const IdText& written,
                const LinkedSource* source, std::string_view language, size_t threads, Monitor& monitor);

// All sections of a container but those whose names begin so. It must outlive writer.write().
void add_sections_without(const Container& container, std::string_view prefix, ContainerWriter& writer);

}  // namespace dragoman::index
